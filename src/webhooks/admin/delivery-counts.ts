import { z } from 'zod';
import { obtain } from '../../core/obtain.js';
import type { Entry, StateStore, StateView } from '../../state/store.js';
import { changeSetRecords, cursorRecords, deadLetterRecords, statusRecords } from '../delivery-records.js';
import type { Owners } from '../owners.js';
import { subscriptionRecords } from '../subscription.js';
import { readInPieces } from './in-pieces.js';
import { secondsSince } from './summaries.js';
import type { WebhookAttempt, WebhookState, WebhookSummary } from './webhook-admin.js';

/** The outcome of one subscription's deliveries, without what only its owner and the maintainers may see. */
export type DeliveryCounts = Pick<
  WebhookSummary,
  'id' | 'state' | 'delivered' | 'retried' | 'failed' | 'deadLetters' | 'lagSeconds' | 'lastSuccessAt'
> & {
  /** The newest recorded attempt; null before the first. */
  readonly lastAttempt: Pick<WebhookAttempt, 'at' | 'status' | 'durationMs'> | null;
};

export interface DeliveryCountsDependencies {
  readonly state: Pick<StateStore, 'read'>;
  readonly owners: Owners;
  readonly now: () => Date;
}

/** How long counts are reused: there is no limit on how often anybody may ask for them. */
const FRESH_MS = 1000;

// Partial schemas of the same records: validating long filters and old attempts took most of the time.
const subscriptions = {
  ...subscriptionRecords,
  value: z.object({ subscription: z.object({ active: z.boolean() }) }),
};
const lastAttempt = z.object({ at: z.string(), status: z.number().nullable(), durationMs: z.number() });
const statuses = {
  ...statusRecords,
  value: z.object({
    delivered: z.number(),
    retried: z.number(),
    failed: z.number(),
    lastSuccessAt: z.string().nullable(),
    recent: z.tuple([lastAttempt], z.unknown()).or(z.tuple([])),
  }),
};
const cursors = { ...cursorRecords, value: z.unknown() };

/**
 * The counts by ascending id, at most a second old. Callers that ask during a read share it. Rejects with a StateError.
 * `elapsedMs` is a monotonic clock.
 */
export function createDeliveryCounts(
  dependencies: DeliveryCountsDependencies & { readonly elapsedMs: () => number },
): () => Promise<readonly DeliveryCounts[]> {
  const { elapsedMs } = dependencies;
  let reading: Promise<readonly DeliveryCounts[]> | undefined;
  let freshUntilMs = Number.POSITIVE_INFINITY;
  return () => {
    if (reading && elapsedMs() < freshUntilMs) return reading;
    freshUntilMs = Number.POSITIVE_INFINITY;
    reading = readDeliveryCounts(dependencies);
    reading.then(
      () => {
        freshUntilMs = elapsedMs() + FRESH_MS;
      },
      () => {
        reading = undefined;
      },
    );
    return reading;
  };
}

/** Reads the current counts; each piece is a snapshot of its own. Rejects with a StateError. */
export async function readDeliveryCounts(dependencies: DeliveryCountsDependencies): Promise<DeliveryCounts[]> {
  const { state } = dependencies;
  const counts = await readInPieces({ state, records: subscriptions }, (view, piece) =>
    countsOf(view, piece, dependencies),
  );
  return counts.sort((one, other) => one.id - other.id);
}

type CountedEntry = Entry<[owner: string, id: number], z.output<typeof subscriptions.value>>;

function countsOf(
  view: StateView,
  piece: readonly CountedEntry[],
  dependencies: Omit<DeliveryCountsDependencies, 'state'>,
): DeliveryCounts[] {
  const now = dependencies.now();
  const { owners } = dependencies;
  const ofOwners = new Map<string, { readonly isOpen: boolean; readonly isLost: boolean }>();
  const ages = new Map<number, number>();
  const stateOf = (owner: string) =>
    obtain(ofOwners, owner, () => ({ isOpen: owners.isOpen(view, owner, now), isLost: owners.isLost(view, owner) }));
  const ageOf = (changeSetId: number): number =>
    obtain(ages, changeSetId, () => {
      const changeSet = view.get(changeSetRecords, [changeSetId]);
      return changeSet ? secondsSince(changeSet, now) : 0;
    });
  return piece.map(({ key: [owner, id], value }) => {
    const { isOpen, isLost } = stateOf(owner);
    const { recent, ...counted } = view.get(statuses, [id]) ?? NOTHING_YET;
    const [oldest] = isLost ? [] : view.range(cursors, { prefix: [id], limit: 1 });
    const whileOpen: WebhookState = value.subscription.active ? 'active' : 'paused';
    return {
      id,
      state: isOpen ? whileOpen : 'silenced',
      ...counted,
      // No replay sends those of a lost owner any more, and an alert would never end.
      deadLetters: isLost ? 0 : view.count(deadLetterRecords, { prefix: [id] }),
      lagSeconds: oldest ? ageOf(oldest.key[1]) : 0,
      lastAttempt: recent[0] ?? null,
    };
  });
}

const NOTHING_YET = { delivered: 0, retried: 0, failed: 0, lastSuccessAt: null, recent: [] } as const;
