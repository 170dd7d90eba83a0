import { expect, test } from 'vitest';
import { placeKey } from '../../../src/load/providers/site-key.js';

const keyOf = (practiceAddress: string) =>
  placeKey({ practiceAddress, practiceCity: 'Sampleton', practiceState: 'DE' });

test.each(['Apt 4', 'Space 4', 'Penthouse', 'Lobby', 'Slip 4', 'Trailer 4', '# 4', 'Bldg C'])(
  'a place is the same with a part of its building: %s',
  (unit) => {
    expect(keyOf(`100 Main St ${unit}`)).toBe(keyOf('100 MAIN STREET'));
    expect(keyOf(`100 Main St ${unit}`)).not.toBe(keyOf('100 Main Ave'));
  },
);
