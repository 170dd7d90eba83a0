/** NPIs have ten digits, the first 1 or 2 (45 CFR 162.406); re-saved as a number, one may end in `.0`. */
const NPI = /^([12]\d{9})(\.0+)?$/;

/** The NPI that a text holds, or undefined if it holds none. The check digit is not verified. */
export function readNpi(text: string): string | undefined {
  return NPI.exec(text)?.[1];
}

/** What the prefix 80840, which goes into the check digit, adds to the Luhn sum. */
const PREFIX_SUM = 24;

/** The correct check digit for an NPI's first nine digits: the Luhn formula over the prefix 80840 and these digits. */
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
const BLOCK_BITS = 2 ** 19;
const BLOCK_BYTES = BLOCK_BITS / 8;
const BLOCKS = Math.ceil(BODIES / BLOCK_BITS);

/**
 * A set of NPIs that takes at most 25 MB: one bit for each possible value of the first nine digits, in blocks of 64 KiB that
 * are made when the first bit in them is set, as clearing all of them costs a small input more than everything else about its
 * providers. NPIs with a wrong check digit, which no registry issues, take up to another 25 MB for each amount by which the
 * digit is wrong.
 */
export class NpiSet {
  /** By block, for each difference (0 to 9) between the check digit and the correct one. */
  private readonly blocks = new Array<Uint8Array | undefined>(10 * BLOCKS);

  has(npi: string): boolean {
    const { body, wrongBy } = split(npi);
    const block = this.blocks[wrongBy * BLOCKS + Math.floor(body / BLOCK_BITS)];
    return ((block?.[(body % BLOCK_BITS) >> 3] ?? 0) & (1 << (body & 7))) !== 0;
  }

  /** Adds an NPI; false if the set has it already. */
  add(npi: string): boolean {
    const { body, wrongBy } = split(npi);
    const block = this.blockAt(wrongBy * BLOCKS + Math.floor(body / BLOCK_BITS));
    const at = (body % BLOCK_BITS) >> 3;
    const byte = block[at] ?? 0;
    const bit = 1 << (body & 7);
    if ((byte & bit) !== 0) return false;
    block[at] = byte | bit;
    return true;
  }

  /** Adds all NPIs of another set. */
  addAll(other: NpiSet): void {
    other.blocks.forEach((theirs, index) => {
      const own = this.blocks[index];
      if (own && theirs) addBits(own, theirs);
      else if (theirs) this.blocks[index] = theirs.slice();
    });
  }

  private blockAt(index: number): Uint8Array {
    const known = this.blocks[index] ?? new Uint8Array(BLOCK_BYTES);
    this.blocks[index] = known;
    return known;
  }
}

/** Adds 32 bits at a time, for speed: most of them are zeros. */
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
