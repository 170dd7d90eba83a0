import { splitAtCommas, type Tokens } from './tokens.js';

/** Boxes and rural routes, which receive mail but say nothing about a place on the ground. */
const BOX =
  /^(?:P ?O ?(?:(?:B|BX|BOX|DRAWER)(?: ?\d+)?|\d+)|POST OFFICE (?:BOX|BX)|(?:LOCK ?)?BOX|DRAWER \d+|(?:R ?R|RURAL ROUTE|H ?C|STAR ROUTE|PSC|CMR) \d+[A-Z]?(?: BOX)?|UNIT \d+[A-Z]? BOX|(?:RFD|RD|RTE?|ROUTE) \d+[A-Z]? BOX)(?: |$)/;
const BOX_BEGINS = new Set(
  'PO P POST LOCK LOCKBOX BOX DRAWER RR R RFD RD RT RTE ROUTE RURAL HC H STAR PSC CMR UNIT GENERAL'.split(' '),
);
/** `POBOX`, `POB`, with the number or without. */
const isBoxInOne = (word: string): boolean => word.startsWith('POB') && /^POB(?:O?X)?\d*$/.test(word);
const BOXES = new Set(['BOX', 'BX']);
const GENERAL_DELIVERY = /^GENERAL DELIVERY/;

/** Whether a part of an address is a post office box, a rural route's box or general delivery. */
function isBox(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (!BOX_BEGINS.has(first) && !isBoxInOne(first)) return false;
  // `RR #2 Box 15`.
  const unsigned = words.filter((word) => word !== '#');
  const text = unsigned.slice(0, 5).join(' ');
  return BOX.test(text) ? !/^HC \d+$/.test(text) : GENERAL_DELIVERY.test(text);
}

/**
 * `PO Box 5 / 120 Main St`, `RR 1 120 Main St`, `Rt 2 Box 45A 120 Main St`: a box's or a route's number, perhaps a joining
 * word, then a house number and at least two words.
 */
const BOX_BEFORE_HOUSE =
  /^(?:(?:R ?R|RURAL ROUTE|RFD|RD|RTE?|ROUTE|H ?C|STAR ROUTE) ?#? ?\d+[A-Z]? (?:BOX|BX)|P ?O ?(?:B|BX|BOX)|R ?R|RURAL ROUTE|H ?C) ?#? ?\d+[A-Z]? (?:& |AND |OR )?(?=\d+[A-Z]? \w+ \w)/;

/**
 * The parts of an address without those that are boxes; if a house follows a box, the house is kept. The same list if
 * there are no boxes.
 */
export function withoutBoxes(parts: readonly string[][]): readonly string[][] {
  if (!parts.some(isBox)) return parts;
  return parts.flatMap((part) => {
    if (!isBox(part)) return [part];
    const text = part.join(' ');
    const [box] = BOX_BEFORE_HOUSE.exec(text) ?? [];
    return box === undefined ? [] : [text.slice(box.length).split(' ')];
  });
}

const MILITARY = new Set(['APO', 'FPO', 'DPO']);
const MILITARY_STATES = new Set(['AA', 'AE', 'AP']);

/** Whether an address belongs to the armed forces abroad: `APO AE 09012`. */
export function isMilitary(tokens: readonly string[]): boolean {
  return tokens.some(
    (token, at) => MILITARY.has(token) && tokens.slice(at + 1, at + 3).some((next) => MILITARY_STATES.has(next)),
  );
}

/** Where a box begins within a part of an address, after a street or a name; −1 if there is none. */
export function boxAt(words: readonly string[]): number {
  return words.findIndex((word, at) => {
    switch (word) {
      case 'PO':
        return BOXES.has(words[at + 1] ?? '');
      case 'P':
        return words[at + 1] === 'O' && BOXES.has(words[at + 2] ?? '');
      case 'RR':
      case 'HC':
        return BOXES.has(words[at + 2] ?? '');
      default:
        return isBoxInOne(word);
    }
  });
}

/** What is around a box within a part of an address: `Mailing PO Box 12 Physical 150 Main St`. The part if it has none. */
export function aroundBox(words: readonly string[]): string[][] {
  const at = boxAt(words);
  if (at < 0) return [[...words]];
  const box = words.findIndex((word, index) => index >= at && BOXES.has(word));
  const around = [words.slice(0, at), box < 0 ? [] : words.slice(box + 2)];
  return around.filter((part) => part.length > 0);
}

/** The parts of an address between commas, without the boxes in them. */
export const partsAroundBoxes = (tokens: Tokens): string[][] => splitAtCommas(tokens).flatMap(aroundBox);
