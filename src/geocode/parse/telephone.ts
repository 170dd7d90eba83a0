import { type Tokens, withoutCommas } from './tokens.js';

/** Ten digits at the end of a text, however they are divided, with or without the country code before them. */
const TEN_FIGURES = /(?:^| )(?:(?:& )?1[ -]?)?[2-9]\d\d[ /-]?[2-9]\d\d[ -]?\d{4}$/;
/** `+ 1 406 555 1234` */
const MAX_TOKENS = 5;
/** What the last token of a telephone number can be; a ZIP, which ends most addresses, cannot. */
const LAST_FIGURES = /^(?:[\d/-]{7,14}|\d{4})$/;
/** Words before a telephone number, or between two. */
const LABELS = new Set('TEL TELEPHONE PHONE PH CELL MOBILE FAX NO NUMBER # & ,'.split(' '));

/** Drops the telephone numbers that a text ends with, the words that announce them, and the commas at both ends. */
export function withoutTelephone(tokens: Tokens): Tokens {
  let body = withoutCommas(tokens);
  for (let length = telephoneAtEnd(body); length > 0; length = telephoneAtEnd(body)) {
    let end = body.length - length;
    while (LABELS.has(body[end - 1] ?? '')) end--;
    body = body.slice(0, end);
  }
  return body;
}

/** How many tokens the telephone number at the end takes; 0 if there is none. */
function telephoneAtEnd(tokens: Tokens): number {
  if (!LAST_FIGURES.test(tokens.at(-1) ?? '')) return 0;
  const [found] = TEN_FIGURES.exec(tokens.slice(-MAX_TOKENS).join(' ')) ?? [];
  return found === undefined ? 0 : found.trim().split(' ').length;
}
