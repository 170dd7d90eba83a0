/** NPIs have ten digits, the first 1 or 2 (45 CFR 162.406); re-saved as a number one may end in `.0`. */
const NPI = /^([12]\d{9})(\.0+)?$/;

/** The text as an NPI, or undefined where it is none. Its check digit may be wrong. */
export function readNpi(text: string): string | undefined {
  return NPI.exec(text)?.[1];
}

/** What the prefix 80840, under which check digits are computed, adds to the Luhn sum. */
const PREFIX_SUM = 24;

/** The check digit that a number's first nine digits ask for, by the Luhn formula over them and the prefix 80840. */
export function npiCheckDigit(body: number): number {
  let sum = PREFIX_SUM;
  let rest = body;
  for (let position = 0; position < 9; position++) {
    const digit = rest % 10;
    rest = (rest - digit) / 10;
    if (position % 2 === 1) sum += digit;
    else sum += digit < 5 ? 2 * digit : 2 * digit - 9;
  }
  return (10 - (sum % 10)) % 10;
}

const FIRST_BODY = 100_000_000;
const BODIES = 200_000_000;

/**
 * A set of NPIs in 25 MB, however many there are: one bit for each first nine digits that there can be. Numbers with a
 * wrong check digit, which no registry gives out, take as much again for each way to be wrong.
 */
export class NpiSet {
  /** By how far the check digit is from what it should be. */
  private readonly bits: (Uint8Array | undefined)[] = [];

  has(npi: string): boolean {
    const { body, wrongBy } = split(npi);
    return ((this.bits[wrongBy]?.[body >> 3] ?? 0) & (1 << (body & 7))) !== 0;
  }

  /** Adds one; false where it is there already. */
  add(npi: string): boolean {
    const { body, wrongBy } = split(npi);
    const bits = this.bitsOf(wrongBy);
    const byte = bits[body >> 3] ?? 0;
    const bit = 1 << (body & 7);
    if ((byte & bit) !== 0) return false;
    bits[body >> 3] = byte | bit;
    return true;
  }

  /** Adds all of another set's. */
  addAll(other: NpiSet): void {
    other.bits.forEach((theirs, wrongBy) => {
      if (theirs) addBits(this.bitsOf(wrongBy), theirs);
    });
  }

  private bitsOf(wrongBy: number): Uint8Array {
    const known = this.bits[wrongBy] ?? new Uint8Array(BODIES / 8);
    this.bits[wrongBy] = known;
    return known;
  }
}

/** By 32 bits at a time: most of the 25 MB are zeros. */
function addBits(target: Uint8Array, added: Uint8Array): void {
  const to = new Uint32Array(target.buffer);
  const from = new Uint32Array(added.buffer);
  for (let at = 0; at < from.length; at++) {
    const bits = from[at] ?? 0;
    if (bits !== 0) to[at] = (to[at] ?? 0) | bits;
  }
}

function split(npi: string): { readonly body: number; readonly wrongBy: number } {
  const number = Number(npi);
  const body = Math.floor(number / 10);
  return { body: body - FIRST_BODY, wrongBy: (number - body * 10 - npiCheckDigit(body) + 10) % 10 };
}
