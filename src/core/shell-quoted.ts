/** Quotes a text for a POSIX shell, so that a command that contains it can be copied. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
