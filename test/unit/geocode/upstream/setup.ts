import type { UpstreamSetup } from '../../../../src/geocode/upstream/caller.js';
import type { UpstreamFailure } from '../../../../src/geocode/upstream/upstream-error.js';

/** A setup without jitter, and what it told of failures. */
export function upstreamSetup(more: Partial<UpstreamSetup> = {}): {
  readonly setup: UpstreamSetup;
  readonly reasons: UpstreamFailure[];
} {
  const reasons: UpstreamFailure[] = [];
  const setup: UpstreamSetup = {
    fetch,
    userAgent: 'tract-context/0.0.0 (someone@example.org)',
    timeoutMs: 10_000,
    now: () => performance.now(),
    closing: new AbortController().signal,
    random: () => 0,
    onFailure: (_, reason) => reasons.push(reason),
    ...more,
  };
  return { setup, reasons };
}
