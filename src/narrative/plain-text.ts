/** Control characters, and invisible characters that can reorder or hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** Makes one line of plain text: runs of white space become one space; other control characters are removed. */
export function plainText(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').trim();
}
