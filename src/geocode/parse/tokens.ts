import { foldText, isAscii } from '../../core/fold-text.js';

/** Longer texts are no addresses; the time to read one is linear in its length. */
export const MAX_ADDRESS_LENGTH = 500;

/** Words in upper case, hyphens and slashes kept within them; `,` for whatever divides parts, `&` for what joins, `#` as it is. */
export type Tokens = readonly string[];

const TOKEN = /[A-Z0-9]+(?:[-/][A-Z0-9]+)*|[,;\n#&@+/]/g;

const SAME_AS: Readonly<Record<string, string>> = { ';': ',', '\n': ',', '@': '&', '+': '&', '/': '&' };
/** A ZIP that went through a spreadsheet as a number: `2139.0`. */
const NO_DECIMALS = /(\d)\.0+(?!\d)/g;

/** The tokens of an address; none for a text that is too long, or of another script: what is left of it might be another. */
export function tokenize(text: string): Tokens {
  if (text.length > MAX_ADDRESS_LENGTH) return [];
  const folded = foldText(text.includes('.') ? text.replace(NO_DECIMALS, '$1') : text);
  if (!isAscii(folded) && /[^\P{L}A-Z]|[^\P{N}0-9]/u.test(folded)) return [];
  const found = folded.match(TOKEN) ?? [];
  return /[;\n@+/]/.test(folded) ? found.map((token) => SAME_AS[token] ?? token) : found;
}

/** Without the commas at both ends. */
export function withoutCommas(tokens: Tokens): Tokens {
  let [begin, end] = [0, tokens.length];
  while (begin < end && tokens[begin] === ',') begin++;
  while (end > begin && tokens[end - 1] === ',') end--;
  return begin === 0 && end === tokens.length ? tokens : tokens.slice(begin, end);
}

/** The parts between commas, without empty ones. */
export function splitAtCommas(tokens: Tokens): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  for (const token of tokens) {
    if (token !== ',') part.push(token);
    else if (part.length > 0) {
      parts.push(part);
      part = [];
    }
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Hyphens and slashes within names divide words: `Dempsey-White`, `CR-5`. */
export function splitHyphens(words: Tokens): string[] {
  return words.some((word) => word.includes('-') || word.includes('/'))
    ? words.flatMap((word) => word.split(/[-/]/))
    : [...words];
}
