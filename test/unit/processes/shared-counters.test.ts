import { closeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createMirror } from '../../../src/http/metrics/mirror.js';
import { COUNTERS_BYTES, createSharedCounters } from '../../../src/processes/memory/shared-counters.js';
import { createTallies, openTallies } from '../../../src/processes/memory/tallies.js';
import type { Counters } from '../../../src/tallies/counters.js';

/** The counters of so many processes, and a way to open one of them again, as the process that takes its place does. */
function countersOf(processes: number) {
  const { fd } = createTallies(processes);
  onTestFinished(() => closeSync(fd));
  return (index: number): Counters => openTallies({ fd, processes, index, windowSeconds: 60 }).counters;
}

function add(counters: Counters, name: string, ...numbers: number[]): void {
  const own = counters.own(name, numbers.length);
  for (const [at, number] of numbers.entries()) own[at] = (own[at] ?? 0) + number;
}

test('every process sees the sums over all processes by name, new counters included', () => {
  const open = countersOf(3);
  const [first, second, third] = [open(0), open(1), open(2)];
  add(first, 'a', 1, 2, 3);
  add(second, 'Länge', 0.5);
  add(third, 'a', 10, 20, 30);
  add(third, 'Länge', 1);
  add(first, 'a', 1, 0, 0);
  for (const counters of [first, second, third]) {
    expect(Object.fromEntries([...counters.sums()].map(([name, numbers]) => [name, [...numbers]]))).toEqual({
      a: [12, 22, 33],
      Länge: [1.5],
    });
  }
});

test('sums can be restricted to counters with a prefix', () => {
  const open = countersOf(2);
  add(open(0), 'cache.hits', 1);
  add(open(0), 'requests', 1);
  add(open(1), 'cache.hits', 2);
  expect([...open(0).sums('cache')]).toEqual([['cache.hits', new Float64Array([3])]]);
});

test('a replacement process continues its predecessor’s counts', () => {
  const open = countersOf(2);
  add(open(0), 'a', 3);
  add(open(1), 'a', 4);
  const successor = open(1);
  add(successor, 'a', 5);
  add(successor, 'b', 1);
  expect(open(0).sums().get('a')).toEqual(new Float64Array([12]));
  expect(open(0).sums().get('b')).toEqual(new Float64Array([1]));
});

test('a counter begins at zero, whatever a process that was killed while it added one has left there', () => {
  const own = { buffer: new ArrayBuffer(COUNTERS_BYTES), byteOffset: 0 };
  // All but the word that says how much is in use.
  new Uint8Array(own.buffer).fill(0x55, 8);
  const { sums, ...counters } = createSharedCounters({ regions: [own], process: 0, ageMs: () => 0 });
  expect(counters.own('a', 3)).toEqual(new Float64Array(3));
  expect([...sums()]).toEqual([['a', new Float64Array(3)]]);
});

test('what the primary counts is among the sums of every process, and it sees what they count', () => {
  const { fd, counters: primary } = createTallies(2);
  onTestFinished(() => closeSync(fd));
  const processes = [0, 1].map((index) => openTallies({ fd, processes: 2, index, windowSeconds: 60 }));
  add(primary, 'a', 100);
  for (const { counters, hits } of processes) {
    add(counters, 'a', 1);
    // Next to the primary's counters.
    hits.hit('any', 5);
  }
  for (const counters of [primary, ...processes.map(({ counters }) => counters)])
    expect(counters.sums().get('a')).toEqual(new Float64Array([102]));
  expect(Math.abs(primary.ageMs() - (processes[0]?.counters.ageMs() ?? 0))).toBeLessThan(1000);
});

test('all processes have the same age of the counts', () => {
  const open = countersOf(2);
  const [first, second] = [open(0).ageMs(), open(1).ageMs()];
  expect(first).toBeGreaterThanOrEqual(0);
  expect(second).toBeGreaterThanOrEqual(first);
});

test('a region that is full refuses another counter and keeps the others', () => {
  const open = countersOf(2);
  const counters = open(0);
  add(counters, 'a', 1);
  expect(() => counters.own('large', COUNTERS_BYTES / 8)).toThrow('no room for the counter large');
  add(counters, 'b', 2);
  expect([...open(1).sums().keys()]).toEqual(['a', 'b']);
});

test('statistics are summed field by field: counters outlive their process, gauges do not', () => {
  const open = countersOf(2);
  const gauges = new Set(['size']);
  const mirror = (counters: Counters, stats: { hits: number; size: number; by: { one: number } }) =>
    createMirror({ counters, name: 'cache', read: () => stats, gauges });
  const first = { hits: 1, size: 5, by: { one: 7 } };
  mirror(open(0), first).publish();
  const second = mirror(open(1), { hits: 10, size: 50, by: { one: 70 } });
  second.publish();
  const successor = open(0);
  mirror(successor, { hits: 100, size: 2, by: { one: 0 } }).publish();
  expect(second.total(successor.sums())).toEqual({ hits: 111, size: 52, by: { one: 77 } });
});
