import { type BucketCounts, createHistogram } from '../lib/histogram.js';

/** A span of time in which one of this machine's processors ran nothing though work was due; milliseconds of `wallMs`. */
export interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** An open loop's answers whose requests were not due in or near a stall of the machine. */
export interface Undisturbed {
  /** Latencies of the answers with status 200, microseconds. */
  readonly latencies: BucketCounts;
  /** The share of all answers with status 200 that is counted here, 0 to 1. */
  readonly share: number;
}

/** The time on a clock that all processes of a machine share, with the resolution of `performance.now()`. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Requests due this shortly before a stall were still in flight when it began. */
const BEFORE_MS = 1;

/**
 * Leaves out requests that were due during a stall of the machine, just before it, or after it for as long as it lasted:
 * working off the backlog takes that long at half of the maximum rate. Only the time at which a request was due decides,
 * never its latency, so that a slow server loses no more of its slow answers than of its quick ones.
 */
export function withoutStalls(
  answers: { readonly dueMs: Float64Array; readonly latencyMs: Float64Array; readonly count: number },
  stalls: readonly Stall[],
): Undisturbed {
  const spans = touchedSpans(stalls);
  const latencies = createHistogram();
  for (let at = 0; at < answers.count; at++) {
    const dueMs = answers.dueMs[at] ?? Number.NaN;
    if (!isWithin(spans, dueMs)) latencies.record((answers.latencyMs[at] ?? Number.NaN) * 1000);
  }
  return { latencies: latencies.counts(), share: answers.count === 0 ? 1 : latencies.count() / answers.count };
}

/** The spans of time that the stalls affect, merged into disjoint ones in ascending order. */
function touchedSpans(stalls: readonly Stall[]): Stall[] {
  const spans: Stall[] = [];
  for (const { fromMs, toMs } of stalls.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const span = { fromMs: fromMs - BEFORE_MS, toMs: toMs + (toMs - fromMs) };
    const last = spans.at(-1);
    if (last && span.fromMs <= last.toMs) spans[spans.length - 1] = { ...last, toMs: Math.max(last.toMs, span.toMs) };
    else spans.push(span);
  }
  return spans;
}

function isWithin(spans: readonly Stall[], atMs: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.toMs ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && span.fromMs <= atMs;
}
