/**
 * Makes a line safe to show on a terminal: characters that would control it, change the direction of the text after them,
 * or be invisible are escaped, as in `\u{202e}`. The name that someone gave a key must not disturb the terminal of the
 * person who lists it, nor pass for another name.
 */
export function printable(line: string): string {
  // Control characters, invisible formatting (bidirectional marks included), lone surrogates, line and paragraph
  // separators.
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `\\u{${point.toString(16)}}`;
  });
}

/** The same for a text of several lines, which stay lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
