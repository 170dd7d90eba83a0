import Bottleneck from 'bottleneck';

/** Keeps requests polite: a few at a time to each host, a little apart, and none while a host asks to be left alone. */
export interface HostLanes {
  /** Does the work when the host's turn comes. The turn lasts until the work is done. */
  run<T>(host: string, work: () => Promise<T>): Promise<T>;
  /** Lets nothing more go to the host for so long. */
  rest(host: string, restMs: number): void;
}

export interface HostLaneOptions {
  readonly maxConcurrent: number;
  /** From the start of one request to the start of the next. */
  readonly minIntervalMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export function createHostLanes({ maxConcurrent, minIntervalMs, now, sleep }: HostLaneOptions): HostLanes {
  const lanes = new Map<string, { limiter: Bottleneck; restUntilMs: number }>();
  const laneOf = (host: string) => {
    const known = lanes.get(host);
    if (known) return known;
    const limiter = new Bottleneck({ maxConcurrent, minTime: minIntervalMs });
    const lane = { limiter, restUntilMs: 0 };
    lanes.set(host, lane);
    return lane;
  };
  return {
    run: (host, work) => {
      const lane = laneOf(host);
      return lane.limiter.schedule(async () => {
        // Another request may have been told to wait longer meanwhile.
        for (let restMs = lane.restUntilMs - now(); restMs > 0; restMs = lane.restUntilMs - now()) await sleep(restMs);
        return work();
      });
    },
    rest: (host, restMs) => {
      const lane = laneOf(host);
      lane.restUntilMs = Math.max(lane.restUntilMs, now() + restMs);
    },
  };
}
