import type { StateView } from '../../state/store.js';
import {
  type ChangeSet,
  changeSetRecords,
  cursorRecords,
  type DeliveryStatus,
  deadLetterRecords,
  NO_STATUS,
  statusRecords,
} from '../delivery-records.js';
import type { Owners } from '../owners.js';
import { type OwnedSubscription, subscriptionRecords } from '../subscription.js';
import { type PiecesOptions, readInPieces } from './in-pieces.js';
import type { WebhookState, WebhookSummary } from './webhook-admin.js';

export interface SummaryDependencies {
  readonly owners: Owners;
  readonly now: () => Date;
}

/** All subscriptions by ascending id, or one owner's, each with the outcome of its deliveries. Rejects with a StateError. */
export async function summarizeAll(
  dependencies: SummaryDependencies & Pick<PiecesOptions<unknown>, 'state'>,
  owner?: string,
): Promise<WebhookSummary[]> {
  const { state } = dependencies;
  const summaries = await readInPieces({ state, records: subscriptionRecords, owner }, (view, piece) =>
    piece.map(({ key, value }) => summarize(view, dependencies, { owner: key[0], ...value })),
  );
  return summaries.sort((one, other) => one.id - other.id);
}

/** One subscription with the outcome of its deliveries, as maintainers see it. */
export function summarize(
  view: StateView,
  { owners, now }: SummaryDependencies,
  { owner, subscription, sealedSecret }: OwnedSubscription,
): WebhookSummary {
  const { id, url, events, filters, active, created_at: createdAt } = subscription;
  const status = view.get(statusRecords, [id]) ?? NO_STATUS;
  const { recent: _recent, rest: _rest, ...counts } = status;
  const state = stateOf(view, { owners, now }, { owner, active });
  return {
    id,
    owner,
    url,
    events,
    filters,
    hasSecret: sealedSecret !== null,
    createdAt,
    state,
    ...counts,
    restsUntil: state === 'active' ? restOf(status, now()) : null,
    deadLetters: view.count(deadLetterRecords, { prefix: [id] }),
    // What waits for a lost owner's subscription will never be delivered.
    ...(owners.isLost(view, owner) ? NOTHING_WAITS : waitingOf(view, id, now())),
  };
}

/** Whether a subscription's events are sent now, or why they wait. */
export function stateOf(
  view: StateView,
  { owners, now }: SummaryDependencies,
  { owner, active }: { readonly owner: string; readonly active: boolean },
): WebhookState {
  if (!owners.isOpen(view, owner, now())) return 'silenced';
  return active ? 'active' : 'paused';
}

/** When a subscription's rest after failures ends; null if it does not rest now. */
export function restOf(status: DeliveryStatus | undefined, now: Date): string | null {
  const until = status?.rest?.until;
  return until !== undefined && Date.parse(until) > now.getTime() ? until : null;
}

type Waiting = Pick<WebhookSummary, 'waitingUpdates' | 'waitingTracts' | 'lagSeconds'>;

const NOTHING_WAITS: Waiting = { waitingUpdates: 0, waitingTracts: 0, lagSeconds: 0 };

function waitingOf(view: StateView, id: number, now: Date): Waiting {
  const cursors = Array.from(view.range(cursorRecords, { prefix: [id] }));
  const tracts = cursors.map(({ value }) => value.waitingTracts);
  const oldest = cursors[0] && view.get(changeSetRecords, [cursors[0].key[1]]);
  return {
    waitingUpdates: cursors.length,
    waitingTracts: tracts.reduce<number | null>(
      (sum, count) => (sum === null || count === null ? null : sum + count),
      0,
    ),
    lagSeconds: oldest ? secondsSince(oldest, now) : 0,
  };
}

/** The age of a change set in whole seconds. */
export function secondsSince({ at }: ChangeSet, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 1000));
}
