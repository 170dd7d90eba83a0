import type { StateView } from '../state/store.js';
import { type KeyRecord, type KeyStatus, keyLastUses, keyStatus } from './key-record.js';

/** A key as maintainers see it, without text and digest. Times are ISO 8601 in UTC. */
export interface KeyView extends Omit<KeyRecord, 'secrets' | 'revision'> {
  readonly status: KeyStatus;
  /** When the last of the rotated-out texts expires; null if none is valid. */
  readonly overlapUntil: string | null;
  /** To the minute, updated some seconds late, and never before the key's creation; null before the first use. */
  readonly lastUsedAt: string | null;
}

/** A stored key as maintainers see it at the moment `at`. */
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
  // In its first minute, a use would seem to precede the key's creation. Times in this form sort as text.
  return minute < createdAt ? createdAt : minute;
}

/** When the last of a key's rotated-out texts expires; null if none is valid any more. */
export function overlapUntil({ secrets }: Pick<KeyRecord, 'secrets'>, at: Date): string | null {
  const overlaps = secrets.flatMap(({ validUntil }) => (validUntil === null ? [] : [validUntil])).sort();
  return overlaps.filter((until) => Date.parse(until) > at.getTime()).at(-1) ?? null;
}
