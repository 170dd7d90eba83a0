import Bottleneck from 'bottleneck';
import { obtain } from '../../core/obtain.js';
import { keepSteady } from '../../outbound/steady-limiter.js';
import { FetchError, type FetchFailure } from './fetch-error.js';

/** Limits the requests to each host: a few at a time, a little apart, and none while the host asks for a rest. */
export interface HostLanes {
  /**
   * Runs the work once a slot of the host is free, and holds the slot until the work is done. Once some work has failed
   * because the host asks for a longer rest than anyone waits, or the fetch was stopped, all further work of the host fails
   * with that error, at once.
   */
  run<T>(host: string, work: () => Promise<T>): Promise<T>;
  /** Starts no further work for the host for `restMs`. */
  rest(host: string, restMs: number): void;
}

const SHUTS_LANE: ReadonlySet<FetchFailure> = new Set(['resting', 'stopped']);

export interface HostLaneOptions {
  readonly maxConcurrent: number;
  /** From the start of one request to the start of the next. */
  readonly minIntervalMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Lane {
  readonly limiter: Bottleneck;
  restUntilMs: number;
  /** Why nothing more is asked of the host. */
  failure?: FetchError;
}

export function createHostLanes({ maxConcurrent, minIntervalMs, now, sleep }: HostLaneOptions): HostLanes {
  const lanes = new Map<string, Lane>();
  const openLane = (): Lane => ({
    limiter: keepSteady(new Bottleneck({ maxConcurrent, minTime: minIntervalMs })),
    restUntilMs: 0,
  });
  const laneOf = (host: string): Lane => obtain(lanes, host, openLane);
  const shut = (lane: Lane, failure: FetchError): void => {
    lane.failure = failure;
    // Else thousands of files would take minutes to be told, one in each interval.
    void lane.limiter.stop({ dropWaitingJobs: true });
  };
  return {
    run: (host, work) => {
      const lane = laneOf(host);
      const done = lane.limiter.schedule(async () => {
        try {
          // Loops because another request may meanwhile have prolonged the rest, or shut the lane.
          for (;;) {
            if (lane.failure) throw lane.failure;
            const restMs = lane.restUntilMs - now();
            if (restMs <= 0) return await work();
            await sleep(restMs);
          }
        } catch (error) {
          if (error instanceof FetchError && SHUTS_LANE.has(error.failure) && !lane.failure) shut(lane, error);
          throw error;
        }
      });
      return done.catch((error: unknown) => {
        throw error instanceof Bottleneck.BottleneckError ? lane.failure : error;
      });
    },
    rest: (host, restMs) => {
      const lane = laneOf(host);
      lane.restUntilMs = Math.max(lane.restUntilMs, now() + restMs);
    },
  };
}
