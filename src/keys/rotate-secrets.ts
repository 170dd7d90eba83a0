import { KeyError } from './key-error.js';
import type { KeyRecord } from './key-record.js';

/** Texts of one key that may be valid at once: the newest, and those that were rotated out and overlap. */
export const MAX_VALID_TEXTS = 4;

/**
 * What a key opens by once it has a new text: that, and its older ones until the overlap ends, or for longer where an
 * earlier rotation promised that. An overlap of 0 ends them all at once. Throws {@link KeyError} where there are as many as
 * may be.
 */
export function rotateSecrets(
  { secrets }: KeyRecord,
  sha256: string,
  at: Date,
  overlapSeconds: number,
): KeyRecord['secrets'] {
  const nowMs = at.getTime();
  const overlapEndMs = nowMs + overlapSeconds * 1000;
  // What has ended does not come back.
  const valid = secrets.filter(({ validUntil }) => validUntil === null || Date.parse(validUntil) > nowMs);
  const overlapping = (overlapSeconds === 0 ? [] : valid).map(({ sha256: old, validUntil }) => {
    const untilMs = Math.max(overlapEndMs, validUntil === null ? 0 : Date.parse(validUntil));
    return { sha256: old, validUntil: new Date(untilMs).toISOString() };
  });
  if (overlapping.length >= MAX_VALID_TEXTS) {
    throw new KeyError(
      'too-many-overlaps',
      `${overlapping.length} texts of this key are still valid; wait, or rotate with an overlap of 0`,
    );
  }
  return [{ sha256, validUntil: null }, ...overlapping];
}
