import type { UpstreamSetup } from '../../../../src/geocode/upstream/caller.js';
import type { CallFailure } from '../../../../src/outbound/call-error.js';

/** A setup without jitter, and what it told of failures. */
export function upstreamSetup(more: Partial<UpstreamSetup> = {}): {
  readonly setup: UpstreamSetup;
  readonly reasons: CallFailure[];
} {
  const reasons: CallFailure[] = [];
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
