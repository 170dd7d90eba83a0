import { KeyError } from './key-error.js';
import type { KeyRecord } from './key-record.js';

/** Texts of one key that may be valid at once: the newest, and those that were rotated out and overlap. */
export const MAX_VALID_TEXTS = 4;

/**
 * What a key opens by once it has a new text: that, and its older ones for as long as the overlap lasts, or less where
 * they had less. Throws {@link KeyError} where there are as many as may be.
 */
export function rotateSecrets(
  { secrets }: KeyRecord,
  sha256: string,
  at: Date,
  overlapSeconds: number,
): KeyRecord['secrets'] {
  const overlapEndMs = at.getTime() + overlapSeconds * 1000;
  const overlapping = secrets
    .map(({ sha256: old, validUntil }) => {
      const untilMs = Math.min(overlapEndMs, validUntil === null ? overlapEndMs : Date.parse(validUntil));
      return { sha256: old, validUntil: new Date(untilMs).toISOString() };
    })
    .filter(({ validUntil }) => Date.parse(validUntil) > at.getTime());
  if (overlapping.length >= MAX_VALID_TEXTS) {
    throw new KeyError(
      'too-many-overlaps',
      `${overlapping.length} texts of this key are still valid; wait, or rotate with an overlap of 0`,
    );
  }
  return [{ sha256, validUntil: null }, ...overlapping];
}
