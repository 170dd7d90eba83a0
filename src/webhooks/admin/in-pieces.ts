import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, Entry, StateStore, StateView } from '../../state/store.js';

/** The key of a subscription's record. */
type SubscriptionKey = [owner: string, id: number];

export interface PiecesOptions<V> {
  readonly state: Pick<StateStore, 'read'>;
  /** The subscriptions, with as much of each record as is needed. */
  readonly records: Collection<SubscriptionKey, V>;
  /** Only those of this key. */
  readonly owner?: string | undefined;
}

/** Subscriptions read at a time, a few milliseconds of work; requests are answered in between. */
const PIECE = 100;

/**
 * What `read` gives of all subscriptions together, by owner and id. It is given some at a time, with the snapshot that they
 * are in: all of thousands would keep the process from answering for seconds. Rejects with a StateError.
 */
export async function readInPieces<V, T>(
  { state, records, owner }: PiecesOptions<V>,
  read: (view: StateView, piece: readonly Entry<SubscriptionKey, V>[]) => readonly T[],
): Promise<T[]> {
  const prefix = owner === undefined ? [] : [owner];
  const all: T[] = [];
  let after: SubscriptionKey | undefined;
  do {
    const from = after;
    after = await state.read((view) => {
      const piece = [...view.range(records, { prefix, limit: PIECE, after: from })];
      all.push(...read(view, piece));
      return piece.length === PIECE ? piece.at(-1)?.key : undefined;
    });
    if (after) await nextTurn();
  } while (after);
  return all;
}
