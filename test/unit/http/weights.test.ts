import { expect, test } from 'vitest';
import { parseWeights } from '../../../src/http/input/weights.js';

test('alternatives have the weight given, else 1, by lowercase name', () => {
  const weights = parseWeights('text/html;level=1;q=0.5, Application/JSON, , */*; q = 0');
  expect([...weights]).toEqual([
    ['text/html', 0.5],
    ['application/json', 1],
    ['*/*', 0],
  ]);
});

test('of a list that fills the header only the first hundred alternatives are read', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `a${at}`);
  expect([...parseWeights(names.join()).keys()]).toEqual(names.slice(0, 100));
});
