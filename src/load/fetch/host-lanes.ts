import Bottleneck from 'bottleneck';
import { obtain } from '../../core/obtain.js';
import { keepSteady } from '../../outbound/steady-limiter.js';

/** Limits the requests to each host: a few at a time, a little apart, and none while the host asks for a rest. */
export interface HostLanes {
  /** Runs the work once a slot of the host is free, and holds the slot until the work is done. */
  run<T>(host: string, work: () => Promise<T>): Promise<T>;
  /** Starts no further work for the host for `restMs`. */
  rest(host: string, restMs: number): void;
  /** Starts no further work for the host at all: what is asked of it fails with this error. */
  shut(host: string, failure: Error): void;
}

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
  failure?: Error;
}

export function createHostLanes({ maxConcurrent, minIntervalMs, now, sleep }: HostLaneOptions): HostLanes {
  const lanes = new Map<string, Lane>();
  const openLane = (): Lane => ({
    limiter: keepSteady(new Bottleneck({ maxConcurrent, minTime: minIntervalMs })),
    restUntilMs: 0,
  });
  const laneOf = (host: string): Lane => obtain(lanes, host, openLane);
  return {
    run: (host, work) => {
      const lane = laneOf(host);
      return lane.limiter.schedule(async () => {
        // Loops because another request may meanwhile have prolonged the rest.
        for (let restMs = lane.restUntilMs - now(); restMs > 0; restMs = lane.restUntilMs - now()) await sleep(restMs);
        if (lane.failure) throw lane.failure;
        return work();
      });
    },
    rest: (host, restMs) => {
      const lane = laneOf(host);
      lane.restUntilMs = Math.max(lane.restUntilMs, now() + restMs);
    },
    shut: (host, failure) => {
      laneOf(host).failure ??= failure;
    },
  };
}
