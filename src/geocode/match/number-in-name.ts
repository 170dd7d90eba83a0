import { isDigitAt } from '../../core/digits.js';
import type { HouseNumber } from '../../core/streets/house-number.js';
import { isDirection } from '../../core/streets/street-directions.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { AddressReading } from '../parse/readings.js';
import { splitsOf } from './splits.js';
import { isNameAsAsked } from './there-as-asked.js';

/**
 * Whether a number belongs to the name of an existing street: `Seven Oaks Dr` lacks a number, and is not 7 Oaks Drive.
 * Nor is `15 Mile Rd` a house on Mile Road where there is a 15 Mile Road, too.
 */
export function isNumberInName({ number, numberWord, words, zip, city }: AddressReading, shard: AddressShard): boolean {
  const isInFigures = numberWord === undefined;
  if (isInFigures && !mayBeginName(number, words)) return false;
  for (const split of splitsOf({ words: [numberWord ?? number.written, ...words], zip, city }, shard)) {
    const { street, words: own } = split;
    if (own.length < 2 || shard.findName(street.key) < 0) continue;
    // `2 Ave B` begins like 2nd Avenue, too.
    const isNumberAlone = isDigitAt(street.key, street.key.length - 1);
    if (!isInFigures || (!isNumberAlone && isNameAsAsked({ shard, zip, split, street }))) return true;
  }
  return false;
}

/** Few streets have a larger number as their first word. */
const MAX_IN_NAME = 30;

/** Whether figures can be the first word of a street's name; before others they would be read as one number. */
const mayBeginName = ({ prefix, value }: HouseNumber, [first = '']: readonly string[]): boolean =>
  prefix === '' && value <= MAX_IN_NAME && !isDigitAt(first, 0) && !isDirection(first);
