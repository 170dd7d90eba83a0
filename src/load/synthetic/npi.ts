import { npiCheckDigit } from '../providers/npi.js';

const FIRST_BODY = 100_000_000;
const BODIES = 100_000_000;
/** Has no factor in common with the number of bodies, so that different numbers give different NPIs. */
const BODY_STEP = 61_803_399;

/** A number that looks like an NPI, different for each `index` below 10⁸, whose check digit is wrong: nobody has it. */
export function impossibleNpi(index: number): string {
  const body = FIRST_BODY + ((index * BODY_STEP) % BODIES);
  const wrongBy = 1 + (index % 9);
  return `${body}${(npiCheckDigit(body) + wrongBy) % 10}`;
}
