/** Control characters, and the invisible ones that can reorder or hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** One line of plain text: line breaks and runs of white space become a space, other control characters vanish. */
export function plainText(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').trim();
}
