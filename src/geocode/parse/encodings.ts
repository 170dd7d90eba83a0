const TAG = /<\/?[a-z][^<>]*>/gi;
/** A line break as text: `\n`, or `\.br\` of HL7; also the `\N` of a database without a value. */
const ESCAPED_BREAK = /\\(?:[nrtN]|\.br\\)/g;
/** `&#39;`, `&#x27;` */
const NUMBERED_ENTITY = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
/** `&eacute;` is a letter with an accent, which is dropped. */
const ACCENTED_LETTER = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi;
/** The characters of names that stand for one which matters; the others of {@link NAMED_ENTITY} are spaces. */
const NAMED: Readonly<Record<string, string>> = { comma: ',', lt: '<', gt: '>', mdash: '-', ndash: '-', num: '#' };
const NAMED_ENTITY = /&(quot|apos|nbsp|[lr][sd]quo|prime|e[mn]sp|thinsp|comma|lt|gt|[mn]dash|num);/gi;
const LAST_CODE_POINT = 0x10ffff;
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

/** What is left of an entity would end the street at its `&`: `150 O&#x27;Brien St` is not on O Street. */
const withoutEntities = (text: string): string =>
  text
    .replace(/&amp;/gi, '&')
    .replace(NUMBERED_ENTITY, (_, hex: string | undefined, decimal: string | undefined) =>
      characterOf(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
    )
    .replace(ACCENTED_LETTER, '$1')
    .replace(NAMED_ENTITY, (_, name: string) => NAMED[name.toLowerCase()] ?? ' ');

const characterOf = (codePoint: number): string =>
  codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : ' ';
