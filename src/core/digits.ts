/** Whether the character at a position of a text is one of the digits 0 to 9; false beyond the text's ends. */
export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
