import { type BucketCounts, createHistogram } from '../lib/histogram.js';

/** A time in which a processor of this machine ran nothing, though something was due; milliseconds of `wallMs`. */
export interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What an open loop saw between the machine's stalls. */
export interface Undisturbed {
  /** Latencies of the answers with status 200, microseconds. */
  readonly latencies: BucketCounts;
  /** Which part of these answers is counted, 0 to 1. */
  readonly share: number;
}

/** The clock that processes of one machine share, with the resolution of `performance.now()`. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** What was due shortly before a stall was still on its way when it began. */
const BEFORE_MS = 1;

/**
 * Leaves out what was due in a stall of the machine, just before it, and in as much time after it as it lasted: so long it
 * takes to work off what has piled up, at half of the maximum rate. Only when a request was due decides, never how long it
 * took: a server that is slow by itself loses no more of its slow answers than of its quick ones.
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

/** Disjoint and ascending. */
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
