import Bottleneck from 'bottleneck';
import type { DeliveryLimits } from './delivery-limits.js';
import type { Lane } from './lane.js';

/**
 * Gives lanes their turns, so many of one host and so many in all at the same time. A turn is a stretch of deliveries, not
 * one: the bottleneck takes longer to admit a job than a delivery next door takes.
 */
export interface LaneTurns {
  /** Runs a lane until it has nothing to do or is stopped. Nothing where it has its turn or waits for it. */
  start(lane: Lane): void;
  /** Forgets a lane that waits; false where its turn is under way. */
  end(lane: Lane): boolean;
  /** Gives no further turn; resolves when those under way are over. */
  close(): Promise<void>;
}

export interface LaneTurnsOptions {
  readonly limits: Pick<DeliveryLimits, 'concurrent' | 'concurrentPerHost' | 'afterErrorMs'>;
  readonly onError: (lane: Lane, error: unknown) => void;
}

export function createLaneTurns({ limits, onError }: LaneTurnsOptions): LaneTurns {
  const all = new Bottleneck({ maxConcurrent: limits.concurrent });
  const hosts = new Bottleneck.Group({ maxConcurrent: limits.concurrentPerHost });
  hosts.on('created', (limiter: Bottleneck) => limiter.chain(all));
  /** Under way or admitted soon; or a timer, after which they will be. */
  const states = new Map<Lane, Promise<void> | NodeJS.Timeout>();
  let closed = false;

  const start = (lane: Lane): void => {
    if (closed || states.has(lane)) return;
    states.set(lane, run(lane));
  };
  const run = async (lane: Lane): Promise<void> => {
    const afterMs = await hosts
      .key(lane.host)
      .schedule(lane.run)
      .then(
        (next) => (next === 'idle' ? undefined : next.afterMs),
        (error: unknown) => {
          onError(lane, error);
          return limits.afterErrorMs;
        },
      );
    states.delete(lane);
    if (afterMs === 0) start(lane);
    else if (afterMs !== undefined && !closed)
      states.set(
        lane,
        setTimeout(() => startAgain(lane), afterMs),
      );
  };
  const startAgain = (lane: Lane): void => {
    states.delete(lane);
    start(lane);
  };
  const end = (lane: Lane): boolean => {
    const state = states.get(lane);
    if (state instanceof Promise) return false;
    clearTimeout(state);
    states.delete(lane);
    return true;
  };
  return {
    start,
    end,
    close: async () => {
      closed = true;
      for (const lane of states.keys()) end(lane);
      await Promise.all([...states.values()].filter((state) => state instanceof Promise));
      await hosts.disconnect(false);
    },
  };
}
