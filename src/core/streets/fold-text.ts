const VULGAR_FRACTION = /[¼-¾⅐-⅞]/g;

/** A full stop directly followed by a word or a number: `St.Johns`, `Apt.4`; not those of `U.S.A.` or `12.5`. */
const STOP_BETWEEN = /(?<=[A-Za-z])\.(?=[A-Za-z]{2}|\d)/g;

/** Upper case without accents, full stops and apostrophes; a fraction such as ½ is set apart from what precedes it. */
export function foldText(text: string): string {
  const folded = isAscii(text) ? text : decompose(text);
  const plain = folded.includes('.') ? folded.replace(STOP_BETWEEN, ' ') : folded;
  return plain.replace(/[.'’]/g, '').toUpperCase();
}

/** The text's words, in upper case and of A–Z and 0–9 only: any other character separates words. O(length). */
export function plainWords(text: string): string[] {
  return foldText(text).match(/[A-Z0-9]+/g) ?? [];
}

/** Letters that Unicode does not decompose into a plain letter and an accent, and how people who lack them write them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe', ß: 'ss', Ø: 'O', ø: 'o', Ł: 'L', ł: 'l' },
  ...{ Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', ı: 'i' },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** Combining marks, and modifier letters such as the ʻokina. */
const MARKS = /[\p{M}\p{Lm}]/gu;

function decompose(text: string): string {
  const plain = text.replace(VULGAR_FRACTION, ' $&').normalize('NFKD').replace(MARKS, '').replaceAll('⁄', '/');
  return plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/** Whether a text is plain ASCII, as nearly all addresses are. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
