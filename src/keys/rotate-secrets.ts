import { KeyError } from './key-error.js';
import type { KeyRecord } from './key-record.js';

/** How many texts of one key may be valid at once: the newest, and those rotated out but not expired. */
export const MAX_VALID_TEXTS = 4;

/**
 * A key's secrets after a rotation: the new text, and the older ones until the overlap ends, or for longer if an earlier
 * rotation promised that. An overlap of 0 ends the older ones at once. Throws {@link KeyError} if {@link MAX_VALID_TEXTS}
 * are already valid.
 */
export function rotateSecrets(
  { secrets }: KeyRecord,
  sha256: string,
  at: Date,
  overlapSeconds: number,
): KeyRecord['secrets'] {
  const nowMs = at.getTime();
  const overlapEndMs = nowMs + overlapSeconds * 1000;
  // A text that has expired does not become valid again.
  const valid = secrets.filter(({ validUntil }) => validUntil === null || Date.parse(validUntil) > nowMs);
  const overlapping = (overlapSeconds === 0 ? [] : valid).map(({ sha256: old, validUntil }) => {
    const untilMs = Math.max(overlapEndMs, validUntil === null ? 0 : Date.parse(validUntil));
    return { sha256: old, validUntil: new Date(untilMs).toISOString() };
  });
  if (overlapping.length >= MAX_VALID_TEXTS) {
    throw new KeyError(
      'too-many-overlaps',
      `${overlapping.length} texts of this key are valid, as many as may be; wait until an older one ends, or rotate with an overlap of 0`,
    );
  }
  return [{ sha256, validUntil: null }, ...overlapping];
}
