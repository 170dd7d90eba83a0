import type { StateView } from '../state/store.js';
import { type KeyRecord, type KeyStatus, keyLastUses, keyStatus } from './key-record.js';

/** A key as maintainers see it: neither text nor digest. Times are ISO 8601 in UTC. */
export interface KeyView extends Omit<KeyRecord, 'secrets' | 'revision'> {
  readonly status: KeyStatus;
  /** Until when a rotated text is still valid, the latest; null where there is none. */
  readonly overlapUntil: string | null;
  /** To the minute, some seconds late, and never before the key was made; null before the first use. */
  readonly lastUsedAt: string | null;
}

/** A stored key as maintainers see it at that moment. */
export function viewOf(view: StateView, record: KeyRecord, at: Date): KeyView {
  const { secrets: _secrets, revision: _revision, ...shown } = record;
  return {
    ...shown,
    status: keyStatus(record, at),
    overlapUntil: overlapUntil(record, at),
    lastUsedAt: lastUse(view, record),
  };
}

function lastUse(view: StateView, { id, createdAt }: KeyRecord): string | null {
  const minute = view.get(keyLastUses, [id]);
  if (minute === undefined) return null;
  // Of the minute in which the key was made, only what came after. Times in this form order as text.
  return minute < createdAt ? createdAt : minute;
}

/** Until when the latest of a key's rotated texts is valid; null where none is any more. */
export function overlapUntil({ secrets }: Pick<KeyRecord, 'secrets'>, at: Date): string | null {
  const overlaps = secrets.flatMap(({ validUntil }) => (validUntil === null ? [] : [validUntil])).sort();
  return overlaps.filter((until) => Date.parse(until) > at.getTime()).at(-1) ?? null;
}
