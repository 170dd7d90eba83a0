const VULGAR_FRACTION = /[¼-¾⅐-⅞]/g;

/** A full stop that a word or number follows without a space: `St.Johns`, `Apt.4`; not those of `U.S.A.`, nor of `12.5`. */
const STOP_BETWEEN = /(?<=[A-Za-z])\.(?=[A-Za-z]{2}|\d)/g;

/** Upper case without accents, full stops and apostrophes; a fraction such as ½ stands apart from what is before it. */
export function foldText(text: string): string {
  const folded = isAscii(text) ? text : decompose(text);
  const plain = folded.includes('.') ? folded.replace(STOP_BETWEEN, ' ') : folded;
  return plain.replace(/[.'’]/g, '').toUpperCase();
}

/** Upper-case words of the letters A–Z and digits; everything else separates them. O(length). */
export function plainWords(text: string): string[] {
  return foldText(text).match(/[A-Z0-9]+/g) ?? [];
}

/** Letters that no accent makes of others, and that people who lack them write otherwise. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe', ß: 'ss', Ø: 'O', ø: 'o', Ł: 'L', ł: 'l' },
  ...{ Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', ı: 'i' },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** Marks that are letters of their own: the ʻokina. */
const MARKS = /[\p{M}\p{Lm}]/gu;

function decompose(text: string): string {
  const plain = text.replace(VULGAR_FRACTION, ' $&').normalize('NFKD').replace(MARKS, '').replaceAll('⁄', '/');
  return plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/** Whether a text is of plain ASCII, as nearly all addresses are. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
