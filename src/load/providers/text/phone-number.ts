/** `6125550100`, `(612) 555-0100 x12` and, re-saved as a number, `6125550100.0` as `612-555-0100`; else null. */
export function phoneNumber(text: string): string | null {
  const digits = text
    .trim()
    .replace(/^(\d+)\.0+$/, '$1')
    // An extension is not part of the number.
    .replace(/(extension|extn?|x)[\s.:#]*\d*$/i, '')
    .replace(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  // Area codes and exchanges begin with 2 to 9 (North American Numbering Plan).
  const parts = /^([2-9]\d\d)([2-9]\d\d)(\d{4})$/.exec(national);
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}` : null;
}
