import { remembered } from './remembered.js';

/** `SMITH-JONES` as `Smith-Jones`, `MCDONALD` as `McDonald`, `O'NEIL` as `O'Neil`, `WOMEN'S` as `Women's`. */
export const capitalize = remembered((word): string =>
  word
    .split(/(?<=[-/&.("])/)
    .map(capitalizePart)
    .join(''),
);

/** Only words of at least this length may begin with Mc. */
const LEAST_MC_LENGTH = 4;

function capitalizePart(part: string): string {
  const [before = '', ...after] = part.split(/(['’])/);
  const [apostrophe = '', rest = ''] = [after[0], after.slice(1).join('')];
  const head = capitalizeWord(before);
  if (apostrophe === '') return head;
  // O'Neil and D'Angelo are names; after a longer word, the apostrophe begins an ending.
  return head + apostrophe + (before.length === 1 && rest.length > 1 ? capitalizeWord(rest) : rest.toLowerCase());
}

function capitalizeWord(word: string): string {
  const lower = word.toLowerCase();
  if (lower.startsWith('mc') && lower.length >= LEAST_MC_LENGTH) return `Mc${upperFirst(lower.slice(2))}`;
  return upperFirst(lower);
}

const upperFirst = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const ORDINAL = /^\d+(ST|ND|RD|TH)$/i;

/** `3RD` as `3rd`; other words with digits, such as `I-35` and `4B`, are in upper case. Undefined without digits. */
export function withDigits(word: string): string | undefined {
  if (!/\d/.test(word)) return undefined;
  return ORDINAL.test(word) ? word.toLowerCase() : word.toUpperCase();
}
