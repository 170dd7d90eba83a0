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

function decompose(text: string): string {
  return text.replace(VULGAR_FRACTION, ' $&').normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('⁄', '/');
}

/** Whether a text is of plain ASCII, as nearly all addresses are. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
