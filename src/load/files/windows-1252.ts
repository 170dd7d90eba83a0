/** What stands at 0x80 to 0x9F, where Latin-1 has control characters; five places are empty and stay those. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text in Windows-1252, of which Latin-1 as agencies write it is a part. Any bytes are such a text. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (control) => UPPER_CONTROLS.charAt(control.charCodeAt(0) - 0x80));
}
