import { npiCheckDigit } from '../providers/npi.js';

const FIRST_BODY = 100_000_000;
const BODIES = 100_000_000;
/** Coprime with the number of bodies, so that different indexes give different NPIs. */
const BODY_STEP = 61_803_399;

/** A number like an NPI, different for each `index` below 10⁸, with a wrong check digit, so that nobody can have it. */
export function impossibleNpi(index: number): string {
  const body = FIRST_BODY + ((index * BODY_STEP) % BODIES);
  const wrongBy = 1 + (index % 9);
  return `${body}${(npiCheckDigit(body) + wrongBy) % 10}`;
}
