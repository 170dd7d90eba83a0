import { foldText, isAscii } from '../../core/fold-text.js';

/** Longer texts are no addresses; the time to read one is linear in its length. */
export const MAX_ADDRESS_LENGTH = 500;

/** Words in upper case, hyphens and slashes kept within them; `,` for whatever divides parts, `#` and `&` as they are. */
export type Tokens = readonly string[];

const TOKEN = /[A-Z0-9]+(?:[-/][A-Z0-9]+)*|[,;\n#&@]/g;

const SAME_AS: Readonly<Record<string, string>> = { ';': ',', '\n': ',', '@': '&' };

/** The tokens of an address; none for a text that is too long, or of another script: what is left of it might be another. */
export function tokenize(text: string): Tokens {
  if (text.length > MAX_ADDRESS_LENGTH) return [];
  const folded = foldText(text);
  if (!isAscii(folded) && /[^\P{L}A-Z]|[^\P{N}0-9]/u.test(folded)) return [];
  const found = folded.match(TOKEN) ?? [];
  return /[;\n@]/.test(folded) ? found.map((token) => SAME_AS[token] ?? token) : found;
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
