/**
 * A line as a terminal may show it: what would steer it, turn the direction of what follows, or cannot be seen is written as
 * `\u{202e}`. What someone named a key must not disturb the terminal of who lists it, nor pass for another name.
 */
export function printable(line: string): string {
  // Controls, invisible formatting (bidirectional marks among it), lone halves of surrogate pairs, line and paragraph ends.
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `\\u{${point.toString(16)}}`;
  });
}
