import Bottleneck from 'bottleneck';
import { keepSteady } from '../../outbound/steady-limiter.js';
import type { DeliveryLimits } from './delivery-limits.js';
import type { Lane } from './lane.js';

/**
 * Schedules lanes under two concurrency limits: one per receiving host, one overall. A turn is a series of deliveries rather
 * than a single one, because Bottleneck takes longer to admit a job than a delivery to a nearby receiver takes.
 */
export interface LaneTurns {
  /** Runs a lane until it is idle or stopped. Does nothing if the lane is already running or scheduled. */
  start(lane: Lane): void;
  /** Unschedules a lane that waits out a delay. Returns false if its turn is running or queued. */
  end(lane: Lane): boolean;
  /** Starts no further turn; resolves when the running ones have ended. */
  close(): Promise<void>;
}

export interface LaneTurnsOptions {
  readonly limits: Pick<DeliveryLimits, 'concurrent' | 'concurrentPerHost' | 'afterErrorMs'>;
  /** Called for the first of several failed turns of a lane in a row: without a disk, all lanes fail, for as long as that lasts. */
  readonly onError: (lane: Lane, error: unknown) => void;
}

/**
 * How long a host's limiter is kept although no turn of that host begins. By itself Bottleneck drops it after five minutes,
 * together with its count of turns, even while these wait for their place among those of all hosts: with thousands of
 * receivers that time out they wait longer than that.
 */
const HOST_KEPT_MS = 86_400_000;

export function createLaneTurns({ limits, onError }: LaneTurnsOptions): LaneTurns {
  const all = keepSteady(new Bottleneck({ maxConcurrent: limits.concurrent }));
  const hosts = new Bottleneck.Group({ maxConcurrent: limits.concurrentPerHost, timeout: HOST_KEPT_MS });
  hosts.on('created', (limiter: Bottleneck) => keepSteady(limiter).chain(all));
  /** A promise while the lane's turn is running or queued; a timer while the lane waits for its next turn. */
  const states = new Map<Lane, Promise<void> | NodeJS.Timeout>();
  /** The lanes whose last turn failed. */
  const failing = new WeakSet<Lane>();
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
        (next) => {
          failing.delete(lane);
          return next === 'idle' ? undefined : next.afterMs;
        },
        (error: unknown) => {
          if (!failing.has(lane)) onError(lane, error);
          failing.add(lane);
          return limits.afterErrorMs;
        },
      );
    states.delete(lane);
    if (afterMs === undefined || closed) return;
    if (afterMs === 0) start(lane);
    else states.set(lane, setTimeout(startAgain, afterMs, lane));
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
