import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openState } from '../../../src/state/open-state.js';
import { defineCollection, type StateStore, type StateView } from '../../../src/state/store.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const pairs = defineCollection('pairs', { key: z.tuple([z.string(), z.number()]), value: z.string() });
const neighbours = ['pair', 'pairs-more', 'pairsx'].map((name) =>
  defineCollection(name, { key: z.tuple([z.string()]), value: z.string() }),
);

async function openTemporaryState(): Promise<StateStore> {
  const state = await openState(temporaryDirectory());
  onTestFinished(() => state.close());
  return state;
}

/** Names in an order that is not theirs, with prefixes of each other and letters outside ASCII. */
const KEYS: readonly (readonly [string, number])[] = [
  ['b', 10],
  ['a', 2],
  ['ab', 1],
  ['a', -1],
  ['a', 1.5],
  ['é', 0],
  ['a', 300],
  ['', 7],
];

async function fill(state: StateStore): Promise<void> {
  await state.transact((transaction) => {
    for (const [name, number] of KEYS) transaction.put(pairs, [name, number], `${name}${number}`);
    for (const other of neighbours) transaction.put(other, ['a'], 'not a pair');
  });
}

const keysOf = (state: StateStore, options?: Parameters<StateView['range']>[1]) =>
  state.read((view) => {
    const keys = [...view.keys(pairs, options)];
    expect(Array.from(view.range(pairs, options), ({ key }) => key)).toEqual(keys);
    return keys;
  });
const countOf = (state: StateStore, prefix?: readonly string[]) =>
  state.read((view) => view.count(pairs, prefix && { prefix }));

test('a range gives the records of its collection alone, ordered by key', async () => {
  const state = await openTemporaryState();
  await fill(state);
  expect(await keysOf(state)).toEqual([
    ['', 7],
    ['a', -1],
    ['a', 1.5],
    ['a', 2],
    ['a', 300],
    ['ab', 1],
    ['b', 10],
    ['é', 0],
  ]);
  expect(await countOf(state)).toBe(8);
});

test('a prefix means whole parts of keys', async () => {
  const state = await openTemporaryState();
  await fill(state);
  expect(await keysOf(state, { prefix: ['a'] })).toEqual([
    ['a', -1],
    ['a', 1.5],
    ['a', 2],
    ['a', 300],
  ]);
  expect(await countOf(state, ['a'])).toBe(4);
  expect(await keysOf(state, { prefix: ['c'] })).toEqual([]);
  expect(await countOf(state, ['c'])).toBe(0);
});

test('pages that begin after the last key of the one before give every record once', async () => {
  const state = await openTemporaryState();
  await fill(state);
  const seen: (readonly [string, number])[] = [];
  for (let after: readonly [string, number] | undefined; ; after = seen.at(-1)) {
    const page = await keysOf(state, { limit: 3, ...(after && { after }) });
    if (page.length === 0) break;
    expect(page.length).toBeLessThanOrEqual(3);
    seen.push(...page.map(([name, number]): [string, number] => [String(name), Number(number)]));
  }
  expect(seen).toEqual(await keysOf(state));
});

test.each([
  ['all', {}],
  ['those of a prefix', { prefix: ['a'] }],
  ['those of a prefix that is a whole key', { prefix: ['a', 2] }],
  ['those after a key that is there', { after: ['a', 1.5] }],
  ['those after a key that is not', { after: ['a', 1.7], prefix: ['a'] }],
])('%s are read backwards in exactly the reverse order', async (_, options) => {
  const state = await openTemporaryState();
  await fill(state);
  const forwards = await keysOf(state, options);
  expect(forwards.length).toBeGreaterThan(0);
  expect(await keysOf(state, { ...options, reverse: true })).toEqual(forwards.toReversed());
  expect(await keysOf(state, { ...options, reverse: true, limit: 1 })).toEqual(forwards.slice(-1));
});

test('a transaction that throws writes nothing, and its error comes back as it is', async () => {
  const state = await openTemporaryState();
  const thrown = new Error('not this one');
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((number) =>
      state.transact((transaction) => {
        transaction.put(pairs, ['kept', number], 'x');
        if (number === 2) throw thrown;
        return number;
      }),
    ),
  );
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: thrown },
    { status: 'fulfilled', value: 3 },
  ]);
  expect(await keysOf(state)).toEqual([
    ['kept', 1],
    ['kept', 3],
  ]);
});

test('transactions that read and then write lose no update', async () => {
  const state = await openTemporaryState();
  const counter = ['counter', 0] as const;
  await Promise.all(
    Array.from({ length: 100 }, () =>
      state.transact((transaction) => {
        transaction.put(pairs, [...counter], String(Number(transaction.get(pairs, [...counter]) ?? 0) + 1));
      }),
    ),
  );
  expect(await state.read((view) => view.get(pairs, [...counter]))).toBe('100');
});

test('ids count up by name and are not given again, not even after a restart', async () => {
  const directory = temporaryDirectory();
  const next = async (name: string) => {
    const state = await openState(directory);
    const last = await state.read((view) => view.lastId(name));
    const id = await state.transact((transaction) => transaction.nextId(name));
    expect([last, await state.read((view) => view.lastId(name))]).toEqual([id - 1, id]);
    await state.close();
    return id;
  };
  expect([await next('a'), await next('a'), await next('b'), await next('a')]).toEqual([1, 2, 1, 3]);
});

test('remove tells whether there was a record', async () => {
  const state = await openTemporaryState();
  await fill(state);
  const removeOnce = () => state.transact((transaction) => transaction.remove(pairs, ['a', 2]));
  expect([await removeOnce(), await removeOnce()]).toEqual([true, false]);
});

test('a record that is not what its collection declares is an error that names the collection', async () => {
  const state = await openTemporaryState();
  await fill(state);
  const numbers = defineCollection('pairs', { key: pairs.key, value: z.number() });
  await expect(state.read((view) => view.get(numbers, ['a', 2]))).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('pairs'),
  });
});

test('a value that its collection does not declare is not stored', async () => {
  const state = await openTemporaryState();
  const texts = defineCollection('texts', { key: z.tuple([z.string()]), value: z.string().max(3) });
  await expect(state.transact((transaction) => transaction.put(texts, ['a'], 'too long'))).rejects.toThrow();
  expect(await state.read((view) => view.get(texts, ['a']))).toBeUndefined();
});

test('a key that would run into another one is refused', async () => {
  const state = await openTemporaryState();
  const refusal = new TypeError('a key of pairs contains a NUL');
  await expect(state.transact((transaction) => transaction.put(pairs, ['a\0b', 1], 'x'))).rejects.toThrow(refusal);
  await expect(state.read((view) => [...view.range(pairs, { prefix: ['a\0'] })])).rejects.toThrow(refusal);
});

test('a view is of no use after its function has returned', async () => {
  const state = await openTemporaryState();
  await fill(state);
  const view = await state.read((kept) => kept);
  expect(() => view.get(pairs, ['a', 2])).toThrow('after its function has returned');
  expect(() => [...view.range(pairs)]).toThrow('after its function has returned');
  const transaction = await state.transact((kept) => kept);
  expect(() => transaction.put(pairs, ['a', 2], 'late')).toThrow('after its function has returned');
});

test('a transaction that would wait is refused and writes nothing', async () => {
  const state = await openTemporaryState();
  const waiting = state.transact(async (transaction) => transaction.put(pairs, ['a', 1], 'x'));
  await expect(waiting).rejects.toThrow('must not wait');
  expect(await keysOf(state)).toEqual([]);
});

test('closing waits for what is under way, and ends the rest', async () => {
  const state = await openTemporaryState();
  const underWay = state.transact((transaction) => transaction.nextId('a'));
  await state.close();
  expect(await underWay).toBe(1);
  await expect(state.read(() => 1)).rejects.toMatchObject({ code: 'closed' });
  await expect(state.transact(() => 1)).rejects.toMatchObject({ code: 'closed' });
});

test('collections have names that cannot run into each other', () => {
  const schemas = { key: z.tuple([z.string()]), value: z.string() };
  for (const name of ['', 'A', 'a b', 'a\0', '-a', 'a--b']) {
    expect(() => defineCollection(name, schemas)).toThrow(`${JSON.stringify(name)} names no collection`);
  }
});
