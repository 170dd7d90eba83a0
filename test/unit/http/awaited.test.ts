import { expect, test } from 'vitest';
import { type Awaited, createAwaited, type Pending } from '../../../src/http/cache/awaited.js';
import type { RequestName } from '../../../src/http/cache/request-name.js';

const ROUTE = { method: 'GET', path: '/v1/nearby' } as const;

/** Names that differ in their tags' ends only, so that they are in one chain. */
const named = (turn: number, input: unknown = { turn }): RequestName => ({
  generation: 'g',
  route: ROUTE,
  input,
  tag: `W/"${turn.toString(16).padStart(32, '0')}"`,
});
const pending = (name: RequestName): Pending => ({ name, answer: new Promise(() => {}), clients: [] });

function awaitedOf(count: number): { readonly awaited: Awaited; readonly all: Pending[] } {
  const awaited = createAwaited();
  const all = Array.from({ length: count }, (_, turn) => pending(named(turn)));
  for (const one of all) awaited.add(one);
  return { awaited, all };
}

test('each of many pending answers is found, in whatever order others are removed', () => {
  const { awaited, all } = awaitedOf(5);
  const left = new Set(all);
  for (const turn of [2, 4, 0, 3, 1]) {
    const gone = all[turn] ?? expect.fail('there are five');
    awaited.remove(gone);
    left.delete(gone);
    for (const one of all) expect(awaited.find(one.name)).toBe(left.has(one) ? one : undefined);
  }
});

test('removing an answer that is gone does not remove a later one of the same name', () => {
  const { awaited, all } = awaitedOf(1);
  awaited.clear();
  expect(awaited.find(named(0))).toBeUndefined();
  const again = pending(named(0));
  awaited.add(again);
  for (const former of all) awaited.remove(former);
  expect(awaited.find(named(0))).toBe(again);
});

test('names with the same tag but another input or route are different names', () => {
  const { awaited, all } = awaitedOf(1);
  expect(awaited.find(named(0, { turn: 'another' }))).toBeUndefined();
  expect(awaited.find({ ...named(0), route: { ...ROUTE } })).toBeUndefined();
  const colliding = pending(named(0, { turn: 'another' }));
  awaited.add(colliding);
  expect([awaited.find(named(0)), awaited.find(colliding.name)]).toEqual([all[0], colliding]);
});
