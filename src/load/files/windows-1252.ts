/** The characters 0x80 to 0x9F, which are controls in Latin-1; the five that are unassigned stay controls. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes Windows-1252, which includes Latin-1 as agencies write it. Any bytes are valid. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (control) => UPPER_CONTROLS.charAt(control.charCodeAt(0) - 0x80));
}
