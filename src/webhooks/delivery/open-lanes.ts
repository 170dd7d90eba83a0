import type { Lane } from './lane.js';
import { createLaneTurns } from './lane-turns.js';
import type { Pending } from './pending-deliveries.js';
import { type ServedSubscription, type ServingDependencies, serveSubscription } from './served-subscription.js';

/** The lanes of the subscriptions for which something is due, and their turns. */
export interface OpenLanes {
  readonly laneOf: (subscriptionId: number) => Lane | undefined;
  /** Whether any lane has this change set. */
  readonly hasChangeSet: (changeSetId: number) => boolean;
  /** Drops the lanes that are done, but for those with unsaved progress or in the middle of a turn: they are dropped later. */
  dropDone(): void;
  /** Stops the lanes of the subscriptions that are not in `due`. Returns whether any was stopped now. */
  stopAllBut(due: ReadonlyMap<number, Pending>): boolean;
  /** Gives a subscription's lane what is due, after opening it if it is missing. Does nothing for a lane that is stopped. */
  give(subscriptionId: number, pending: Pending): Promise<void>;
  stopAll(): void;
  /** Resolves when the turns under way are over. No other begins. */
  close(): Promise<void>;
}

export interface OpenLanesOptions {
  readonly serving: ServingDependencies;
  /** A turn has failed; the lane has another one later. */
  readonly onError: (subscriptionId: number, error: unknown) => void;
  /** Aborted when no lane may be opened any more. */
  readonly stopping: AbortSignal;
}

export function openLanes({ serving, onError, stopping }: OpenLanesOptions): OpenLanes {
  const served = new Map<number, ServedSubscription>();
  const turns = createLaneTurns({
    limits: serving.limits,
    onError: ({ subscriptionId }, error) => onError(subscriptionId, error),
  });
  return {
    laneOf: (id) => served.get(id)?.lane,
    hasChangeSet: (changeSetId) => [...served.values()].some(({ lane }) => lane.has('changes', changeSetId)),
    dropDone: () => {
      for (const [id, { lane }] of served) {
        const isDone = lane.isStopped() || lane.isEmpty();
        if (isDone && lane.isSaved() && turns.end(lane)) served.delete(id);
      }
    },
    stopAllBut: (due) => {
      const stopped = [...served].filter(([id, { lane }]) => !due.has(id) && !lane.isStopped());
      for (const [, { lane }] of stopped) lane.stop();
      return stopped.length > 0;
    },
    give: async (id, pending) => {
      const subscription = served.get(id) ?? (await serveSubscription(id, pending.owner, serving));
      if (!subscription || stopping.aborted) return;
      served.set(id, subscription);
      // A later look replaces a stopped lane, once its last attempt is over.
      if (subscription.lane.isStopped()) return;
      subscription.take(pending);
      turns.start(subscription.lane);
    },
    stopAll: () => {
      for (const { lane } of served.values()) lane.stop();
    },
    close: turns.close,
  };
}
