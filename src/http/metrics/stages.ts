import type { StageTimes } from '../../pool/request.js';
import type { Counters, Sums } from '../../tallies/counters.js';
import { type DurationCounts, defineDurations } from './durations.js';
import { addLatency, LATENCY_BUCKETS, latencyPercentile } from './latency-histogram.js';

/**
 * The stages of an answer. `queue`: waiting for a worker thread, and the transfer to it and back. `query`: computing the
 * answer. `write`: until it is handed to the system, including compression and the answers written before it.
 */
const STAGES = ['queue', 'query', 'write'] as const;
export type Stage = (typeof STAGES)[number];

/** The time of an answer in each stage, in milliseconds. */
export interface AnswerTimes extends StageTimes {
  readonly writeMs: number;
}

/** Counts the stage times of an answered request. */
export type CountStages = (times: AnswerTimes) => void;

/** The durations of a stage; most end within microseconds. */
export const STAGE_DURATIONS = defineDurations([
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
]);

/** The durations of a stage, over all processes. */
export interface StageCounts extends DurationCounts {
  readonly stage: Stage;
  /** The duration in milliseconds that a share (0–1) of the answers did not exceed; null before the first answer. */
  percentile(share: number): number | null;
}

/** Where the latency histogram for percentiles begins in a stage's counters, behind its durations. */
const LATENCY_AT = STAGE_DURATIONS.length;
const LENGTH = LATENCY_AT + LATENCY_BUCKETS;

const nameOf = (stage: Stage): string => `stage ${stage}`;

export function createStageCount(counters: Counters): CountStages {
  const counterOf = (stage: Stage): ((milliseconds: number) => void) => {
    const numbers = counters.own(nameOf(stage), LENGTH);
    const latency = numbers.subarray(LATENCY_AT);
    return (milliseconds) => {
      STAGE_DURATIONS.add(numbers, milliseconds);
      addLatency(latency, milliseconds);
    };
  };
  const [countQueue, countQuery, countWrite] = [counterOf('queue'), counterOf('query'), counterOf('write')];
  return ({ queueMs, queryMs, writeMs }) => {
    countQueue(queueMs);
    countQuery(queryMs);
    countWrite(writeMs);
  };
}

/** Extracts the counts of {@link createStageCount} from the sums. */
export function readStageCounts(sums: Sums): StageCounts[] {
  return STAGES.map((stage) => {
    const numbers = sums.get(nameOf(stage)) ?? new Float64Array(LENGTH);
    const latency = numbers.subarray(LATENCY_AT);
    return {
      stage,
      ...STAGE_DURATIONS.read(numbers),
      percentile: (share) => latencyPercentile(latency, share),
    };
  });
}

/** The value of the `Server-Timing` header (https://www.w3.org/TR/server-timing/), in milliseconds. */
export function serverTiming({ queueMs, queryMs, writeMs }: AnswerTimes): string {
  const [queue, query, write] = [queueMs, queryMs, writeMs].map((milliseconds) => milliseconds.toFixed(3));
  return `queue;dur=${queue}, query;dur=${query}, write;dur=${write}`;
}
