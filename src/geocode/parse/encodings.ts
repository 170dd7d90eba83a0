const TAG = /<\/?[a-z][^<>]*>/gi;
/** A line break as text: `\n`, or `\.br\` of HL7. */
const ESCAPED_BREAK = /\\(?:[nrt]|\.br\\)/g;
const NUMBERED_ENTITY = /&#(\d{2,4});/g;
/** `&eacute;` is a letter with an accent, which is dropped. */
const NAMED_ENTITY = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil);|&(?:quot|apos|nbsp|[lr]squo);/gi;
const PERCENT_ENCODED = /%([2-7][0-9A-F])/gi;

/** A text without remnants of URLs, HTML and escaped texts, as addresses have that were encoded once too often. */
export function decoded(text: string): string {
  let plain = withoutUrlEncoding(text);
  if (plain.includes('&')) plain = withoutEntities(plain);
  if (plain.includes('<')) plain = plain.replace(TAG, '\n');
  return plain.includes('\\') ? plain.replace(ESCAPED_BREAK, '\n') : plain;
}

/** `150%20Main%20St` and `150+Main+St` with their spaces; a text that has spaces is not encoded. */
function withoutUrlEncoding(text: string): string {
  if (!/[+%]/.test(text) || /\s/.test(text)) return text;
  return text
    .replaceAll('+', ' ')
    .replace(PERCENT_ENCODED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

const withoutEntities = (text: string): string =>
  text
    .replace(/&amp;/gi, '&')
    .replace(NUMBERED_ENTITY, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(NAMED_ENTITY, (_, letter: string | undefined) => letter ?? ' ');
