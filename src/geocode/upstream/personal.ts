import { hasDigit } from '../parse/words.js';

const EMAIL = '(?<![^\\s,;|^<>()"])[^\\s,;|^<>()"@]+@[^\\s,;|^<>()"@]+\\.[a-z]{2,}';
const LABEL = '\\b(?:tel|telephone|phone|ph|cell|mobile|fax|born|dob|ssn)[ :.#]*';
/** Dashes as they are typed, and as word processors put them. */
const DASHES = '\\u2010-\\u2015\\u2212-';
const MONTHS = 'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?|oct|nov|dec';
const MONTH = `(?:${MONTHS}|(?:septem|octo|novem|decem)ber)\\.?`;
const NUMBERS = [
  // A telephone number, with its area code or, where no name follows that would make it a house number, without.
  `(?:\\+?1[ .${DASHES}]?)?(?:\\([2-9]\\d\\d\\) ?|[2-9]\\d\\d[ ./${DASHES}]?)[2-9]\\d\\d[ .${DASHES}]?\\d{4}`,
  `\\d{3}[.${DASHES}]\\d{4}(?=\\s*(?:[,;|^]|$|\\d))`,
  // A social security number.
  `\\d{3}[${DASHES}]\\d{2}[${DASHES}]\\d{4}`,
  // A date.
  '\\d{1,2}/\\d{1,2}/(?:19|20)?\\d\\d',
  `\\d{1,2}[.${DASHES}]\\d{1,2}[.${DASHES}](?:19|20)?\\d\\d`,
  `(?:19|20)\\d\\d[/${DASHES}]\\d\\d[/${DASHES}]\\d\\d(?:T[\\d:.]+Z?)?`,
  `${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?: ?,)? (?:19|20)\\d\\d`,
  `\\d{1,2}(?:st|nd|rd|th)?[ ${DASHES}]${MONTH}[ ${DASHES}](?:19|20)\\d\\d`,
];
/** The number under which an office or an insurer knows somebody. */
const RECORD =
  '\\b(?:ssn|mrn|medicaid|medicare|member|patient|acct|account|policy)\\b(?: (?:id|no|number))?[ :.#]*[a-z]{0,3}\\d[\\w-]*';
const NUMBER = `(?:${LABEL}|(?<![\\w/-]))(?:${NUMBERS.join('|')})(?![\\w/-])`;
const PERSONAL = new RegExp(`${EMAIL}|${NUMBER}|${RECORD}`, 'gi');

const CARE_OF = /\b(?:in )?care of\b|\bc\. ?o\.|\bc\\o\b|(?<![^\s,;|^])% ?(?=[a-z])/gi;
/** `Patient: Jane Sample`, but not `Street name: Main St`. */
const NAME_LABEL = /(?<!\b(?:street|city|county|state)[ _]?)\b(?:patient|name|resident|client) ?[:=]/gi;
/** `150 Main St (Jane Sample)`, but not `(302) 555-0100`, nor a whole address or a list in brackets. */
const NOTE = /\([^()",\d]*[a-z]{2}[^()",\d]*\)|\[[^[\]",\d]*[a-z]{2}[^[\]",\d]*\]/gi;

/** A text with `c/o` for its other spellings and for labels of names, which would be lost along with their signs. */
export const withPlainReceivers = (text: string): string => text.replace(CARE_OF, ' c/o ').replace(NAME_LABEL, ' c/o ');

/**
 * A text with commas for notes in brackets, e-mail addresses, dates, telephone and social security numbers and the like, and
 * with plain `c/o`.
 */
export const withoutPersonal = (text: string): string =>
  withPlainReceivers(text.replace(PERSONAL, ',').replace(NOTE, ','));

/** Words for somebody's mailbox, whatever the house. */
const BOXES = new Set(['BOX', 'BX', 'LOCKBOX', 'PMB', 'POB', 'POBOX', 'POBX']);
/** Words before the name of whoever receives the mail. */
const RECEIVERS = new Set(['ATTENTION', 'ATTN', 'C/O']);

/** Whether a word tells that what follows concerns people. */
export const isAboutPeople = (word: string): boolean => BOXES.has(word) || RECEIVERS.has(word);

/**
 * The words of a street or a city without boxes, and up to a receiver; none if it begins with one. A box that is its first
 * word is part of a name.
 */
export function placeAlone(words: readonly string[]): readonly string[] {
  const receiver = words.findIndex((word, at) => isReceiver(word, words[at + 1]));
  const place = receiver < 0 ? words : words.slice(0, receiver);
  const box = place.findIndex((word, at) => at > 0 && BOXES.has(word) && hasDigit(place[at + 1] ?? ''));
  return box < 0 ? place : place.toSpliced(box, 2);
}

/** `C/O` has been split at its slash. */
const isReceiver = (word: string, next: string | undefined): boolean =>
  RECEIVERS.has(word) || (word === 'C' && next === 'O');
