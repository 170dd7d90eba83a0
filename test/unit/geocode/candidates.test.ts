import { expect, test } from 'vitest';
import { NO_TRACT } from '../../../src/format/addresses/shard.js';
import { Candidates } from '../../../src/geocode/match/candidates.js';
import { openBlocks, streetOf } from '../../support/made-up-streets.js';

test('a better one is kept where as many as are kept are about as good', () => {
  const blocks = Array.from({ length: 80 }, () => ({ street: 'Elm St', zip: '10001', prefix: '', from: 1, to: 99 }));
  const [shard] = openBlocks(blocks).shards;
  if (!shard) expect.fail('one file was written');
  const candidates = new Candidates();
  const add = (range: number, score: number): void => {
    const number = { prefix: '', value: 12, written: '12' };
    candidates.add({ shard, run: 0, range, number, asked: ['ELM', 'ST'], score, type: 'exact', city: -1 });
  };
  for (let range = 0; range < 70; range++) add(range, 90);
  add(75, 92);
  expect(candidates.best).toBe(92);
  expect(candidates.kept.some(({ range }) => range === 75)).toBe(true);
  expect(candidates.decide()).toBe('tie');
});

test('overlapping ranges outside the outlines are a tie only on different streets', () => {
  const block = { street: 'Elm St', zip: '10001', prefix: '', from: 1, to: 99, tract: NO_TRACT };
  const matched = (...others: Partial<typeof block>[]): string =>
    streetOf(openBlocks([block, ...others.map((other) => ({ ...block, ...other }))]), '12 Elm St, NY');
  expect(matched({ from: 3 })).toBe('12 Elm St');
  expect(matched({ zip: '10002' })).toBe('tie');
  expect(matched({ tract: 1 })).toBe('tie');
  const nowhere = { ...block, zip: '' };
  expect(streetOf(openBlocks([nowhere, { ...nowhere, from: 3 }]), '12 Elm St, NY')).toBe('tie');
});

test('the one in another tract is a tie, however many are in one', () => {
  const block = { street: 'Elm St', zip: '10001', prefix: '', from: 1, to: 99, tract: 0 };
  const crowd = Array.from({ length: 70 }, () => block);
  expect(streetOf(openBlocks(crowd), '12 Elm St, NY 10001')).toBe('12 Elm St');
  expect(streetOf(openBlocks([...crowd, { ...block, to: 100, tract: 1 }]), '12 Elm St, NY 10001')).toBe('tie');
  const other = { ...block, zip: '10002', tract: 1 };
  expect(streetOf(openBlocks([...crowd, other]), '12 Elm St, NY')).toBe('tie');
});
