/** Whether the character at a position of a text is one of the figures 0 to 9; not where there is none. */
export function isFigureAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
