/** In counties with more tracts than this, codes have suffixes, as if tracts had been split as the population grew. */
const LARGEST_PLAIN = 60;

/** In Census practice, tracts without residents (parks, airports, water) are numbered from here on. */
const FIRST_SPECIAL = 9800;

const MAX_SUFFIX = 4;

/**
 * Distinct six-digit codes for a county's tracts: `000100`, `000200` …, in large counties with suffixes from 01 on, and from
 * `980000` on for tracts without residents.
 */
export function tractCodes(withoutResidents: readonly boolean[]): string[] {
  const suffixed = withoutResidents.length > LARGEST_PLAIN;
  let base = 0;
  let special = FIRST_SPECIAL;
  let suffix = MAX_SUFFIX;
  return withoutResidents.map((empty) => {
    if (empty) return code(special++, 0);
    // Each number has 1 to 4 suffixes, depending on the number, so that no pattern of fours stands out.
    if (!suffixed || suffix >= 1 + ((base * 7) % MAX_SUFFIX)) {
      base++;
      suffix = 0;
    }
    if (suffixed) suffix++;
    return code(base, suffix);
  });
}

const code = (base: number, suffix: number): string => String(base).padStart(4, '0') + String(suffix).padStart(2, '0');
