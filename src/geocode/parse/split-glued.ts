import { isStreetType } from '../../core/streets/street-types.js';
import { isState } from './state-names.js';
import type { Tokens } from './tokens.js';
import { hasDigit } from './words.js';

/** Where a token stands in its part of the address, between commas. */
export interface Place {
  readonly isAtBeginOfPart: boolean;
  readonly isAtEndOfPart: boolean;
}

/** Two words that people write as one. */
interface Glued {
  /** Matches both as one, with a group for each. */
  readonly pattern: RegExp;
  /** Whether they are two words in this place; in every one if it is not given. */
  readonly where?: (place: Place) => boolean;
  /** Whether the words are what the pattern takes them for; all are if it is not given. */
  readonly areMeant?: (first: string, second: string) => boolean;
}

const atBegin = ({ isAtBeginOfPart }: Place): boolean => isAtBeginOfPart;
const atEnd = ({ isAtEndOfPart }: Place): boolean => isAtEndOfPart;

/** `HWY89` */
export const GLUED_HIGHWAY = /^(HWY|HIGHWAY|ROUTE|RTE)(\d{1,4}[A-Z]?)$/;

/** `APT4B` */
export const GLUED_UNIT = /^(APT|BLDG|LOT|RM|SPC|STE|SUITE|TRLR|UNIT)-?(\d{1,4}[A-Z]?)$/;

/** The first that fits decides. All have a digit. */
const GLUED: readonly Glued[] = [
  // `150-1/2 Main St`
  { pattern: /^(\d+)-(\d\/\d{1,2})$/ },
  // `1501/2 Main St`
  { pattern: /^(\d+)(1\/2)$/, where: atBegin },
  // `150 2ndAve`
  { pattern: /^(\d+(?:ST|ND|RD|TH))([A-Z]{2,})$/, areMeant: (_, type) => isStreetType(type) },
  // `150 HWY89`
  { pattern: GLUED_HIGHWAY },
  // `150 Broadway Apt4B`
  { pattern: GLUED_UNIT },
  // `150Main St`, `150-Main St`. The name has at least three letters: two may be an ordinal's ending.
  { pattern: /^(\d+)-?([A-Z]{3,})$/, where: atBegin },
  // `150-3rd Ave`
  { pattern: /^(\d+)-(\d+(?:ST|ND|RD|TH))$/, where: atBegin },
  // `150 Main St, Boston 02118MA`
  { pattern: /^(\d{5})([A-Z]{2})$/, where: atEnd, areMeant: (_, state) => isState(state) },
  // `150 Main St, Boston, MA02118`, `MA-02118`, `MA02118-1234`
  { pattern: /^([A-Z]{2})-?(\d{5}(?:-?\d{4})?)$/, areMeant: isState },
];

/** The two words that a token was glued from; undefined for any other. */
export function splitGlued(token: string, place: Place): Tokens | undefined {
  if (!hasDigit(token)) return undefined;
  for (const { pattern, where, areMeant } of GLUED) {
    if (where && !where(place)) continue;
    const [, first, second] = pattern.exec(token) ?? [];
    if (first === undefined || second === undefined) continue;
    if (!areMeant || areMeant(first, second)) return [first, second];
  }
  return undefined;
}
