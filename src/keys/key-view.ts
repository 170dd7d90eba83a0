import type { StateView } from '../state/store.js';
import { type KeyRecord, type KeyStatus, keyLastUses, keyStatus } from './key-record.js';

/** A key as maintainers see it: neither text nor digest. Times are ISO 8601 in UTC. */
export interface KeyView extends Omit<KeyRecord, 'secrets' | 'revision'> {
  readonly status: KeyStatus;
  /** Until when a rotated text is still valid, the latest; null where there is none. */
  readonly overlapUntil: string | null;
  /** To the minute, some seconds late; null before the first use. */
  readonly lastUsedAt: string | null;
}

/** A stored key as maintainers see it at that moment. */
export function viewOf(view: StateView, record: KeyRecord, at: Date): KeyView {
  const { secrets, revision: _, ...shown } = record;
  const overlaps = secrets.flatMap(({ validUntil }) => (validUntil === null ? [] : [validUntil])).sort();
  const overlapUntil = overlaps.filter((until) => Date.parse(until) > at.getTime()).at(-1) ?? null;
  return {
    ...shown,
    status: keyStatus(record, at),
    overlapUntil,
    lastUsedAt: view.get(keyLastUses, [record.id]) ?? null,
  };
}
