/** NPIs have this prefix when their check digit is computed: the issuer number of health cards in the US (ISO 7812). */
const CARD_ISSUER = '80840';

const FIRST_BODY = 100_000_000;
const BODIES = 100_000_000;
/** Has no factor in common with the number of bodies, so that different numbers give different NPIs. */
const BODY_STEP = 61_803_399;

/** A number that looks like an NPI, different for each `index` below 10⁸, whose check digit is wrong: nobody has it. */
export function impossibleNpi(index: number): string {
  const body = String(FIRST_BODY + ((index * BODY_STEP) % BODIES));
  const wrongBy = 1 + (index % 9);
  return `${body}${(checkDigit(body) + wrongBy) % 10}`;
}

/** The check digit of an NPI's first nine digits, by the Luhn formula over them and the prefix (45 CFR 162.406). */
export function checkDigit(body: string): number {
  const digits = [...`${CARD_ISSUER}${body}`].map(Number).reverse();
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? doubled(digit) : digit), 0);
  return (10 - (sum % 10)) % 10;
}

const doubled = (digit: number): number => (digit < 5 ? 2 * digit : 2 * digit - 9);
