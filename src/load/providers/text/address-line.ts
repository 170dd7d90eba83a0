import { cleanText, isShouted } from './clean-text.js';
import { capitalize, withDigits } from './letter-case.js';
import { remembered } from './remembered.js';

/** Words that stay in capitals in an address: directions, kinds of roads, `PO`. */
const CAPITALS = new Set('N S E W NE NW SE SW PO US CR SR FM RR HC PR MLK II III IV'.split(' '));

/** `162 N APMAN DR STE 4B` as `162 N Apman Dr Ste 4B`; null if nothing is left. Lines are joined by commas. */
export function addressLine(...lines: readonly string[]): string | null {
  return (
    lines
      .map(cleanText)
      .filter((line) => line !== '')
      .map(writeLine)
      .join(', ') || null
  );
}

/** `ST. PAUL` as `St. Paul`; null if nothing is left. */
export const cityName = remembered((text): string | null => {
  const city = cleanText(text);
  return city === '' ? null : isShouted(city) ? city.split(' ').map(capitalize).join(' ') : city;
});

function writeLine(line: string): string {
  if (!isShouted(line)) return line;
  return line
    .split(' ')
    .map((word) => {
      const letters = word.toUpperCase().replace(/[^A-Z]/g, '');
      return withDigits(word) ?? (CAPITALS.has(letters) ? word.toUpperCase() : capitalize(word));
    })
    .join(' ');
}
