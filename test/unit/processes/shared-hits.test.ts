import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SLOTS } from '../../../src/processes/memory/key-slots.js';
import { mapSharedFile } from '../../../src/processes/memory/shared-file.js';
import { createSharedHits, HITS_INITIAL_BYTES, HITS_MOST_BYTES } from '../../../src/processes/memory/shared-hits.js';
import { createTallies, hitsAt, openTallies } from '../../../src/processes/memory/tallies.js';
import { createHitStore } from '../../../src/tallies/hit-store.js';
import { WITHIN_MS } from '../../support/eventually.js';
import { startHitting } from '../../support/hits-processes.js';

/**
 * As `createSharedHits` lays out its memory: the lock first, then, behind a header of 16 words, places of 8 words, and
 * behind these entries of 4.
 */
const LOCK = 0;
const FREE = 0;
const ACTIVE = 1;
const SLOTS_AT = 16;
const SLOT_WORDS = 8;
const [COUNT, FIRST, LAST] = [4, 5, 6];
const ENTRIES_AT = SLOTS_AT + SLOTS * SLOT_WORDS;
const ENTRY_WORDS = 4;
const NEXT = 3;

/** All that follows from the entries, and the chains that their order tells, set to something wrong. */
function spoil(words: Int32Array, wrong: number): void {
  words[ACTIVE] = wrong;
  for (let slot = 0; slot < SLOTS; slot++) {
    for (const word of [COUNT, FIRST, LAST]) words[SLOTS_AT + slot * SLOT_WORDS + word] = wrong;
  }
  for (let at = ENTRIES_AT + NEXT; at < words.length; at += ENTRY_WORDS) words[at] = wrong;
}

/** Stores over one memory, as several processes have them, with a clock that the test moves. */
function storesOver(
  words: Int32Array,
  windowSeconds: number,
  { howMany = 2, patienceMs = 3000, usableBytes = words.byteLength } = {},
) {
  let nowMs = 0;
  const duringExtension: (() => void)[] = [];
  const extended: [number, number][] = [];
  const [onNoRoom, attempted] = [vi.fn(), vi.fn()];
  const stores = Array.from({ length: howMany }, () =>
    createSharedHits({
      words,
      extend: (fromByte, toByte) => {
        attempted();
        if (toByte > usableBytes) throw new Error('no space');
        extended.push([fromByte, toByte]);
        duringExtension.pop()?.();
      },
      windowSeconds,
      now: () => nowMs,
      patienceMs,
      onNoRoom,
    }),
  );
  const at = (atMs: number, store: number) => {
    nowMs = atMs;
    const found = stores[store];
    if (!found) throw new RangeError(`no store ${store}`);
    return found;
  };
  return { at, extended, duringExtension, attempted, onNoRoom };
}

/** Built by `npm test` before it runs. */
const program = (name: string) => fileURLToPath(new URL(`../../../dist/test/support/${name}.js`, import.meta.url));
const LATE_GROWER = program('late-grower-program');
const UNSOUND_HITS = program('unsound-hits-program');

/** The id of a process that has ended. */
const endedProcess = (): number => spawnSync(process.execPath, ['-e', '0']).pid;

const wordsOf = (bytes: number): Int32Array => new Int32Array(bytes / Int32Array.BYTES_PER_ELEMENT);

const STEPS = fc.array(
  fc.record({ waitMs: fc.nat(4000), key: fc.nat(3), store: fc.nat(1), limit: fc.integer({ min: 1, max: 20 }) }),
  { maxLength: 150 },
);
const WAIT = { timeout: WITHIN_MS, interval: 5 };
const WINDOW_SECONDS = fc.integer({ min: 1, max: 10 });

test('several stores over one memory decide exactly as a single store does', () => {
  const words = wordsOf(HITS_INITIAL_BYTES);
  fc.assert(
    fc.property(STEPS, WINDOW_SECONDS, fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (steps, windowSeconds, start) => {
      words.fill(0);
      const { at } = storesOver(words, windowSeconds);
      let nowMs = start;
      const single = createHitStore({ windowSeconds, now: () => nowMs });
      for (const { waitMs, key, store, limit } of steps) {
        nowMs += waitMs;
        expect(at(nowMs, store).hit(`key ${key}`, limit)).toEqual(single.hit(`key ${key}`, limit));
        expect(at(nowMs, store).activeKeys()).toBe(single.activeKeys());
      }
    }),
    { numRuns: 60 },
  );
});

test('a request never leaves the window early, whatever fraction of a millisecond it came at', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      // Within 2 ms of the window's end, where fractions matter.
      fc.integer({ min: 998_000, max: 1_002_000 }),
      (fromMicroseconds, ageMicroseconds) => {
        const [from, age] = [fromMicroseconds / 1000, ageMicroseconds / 1000];
        const { at } = storesOver(wordsOf(HITS_INITIAL_BYTES), 1);
        at(from, 0).hit('key', 1);
        const { refused } = at(from + age, 1).hit('key', 1);
        if (from + age - from < 1000) expect(refused).toBe(true);
        if (from + age - from >= 1001) expect(refused).toBe(false);
      },
    ),
    { numRuns: 50 },
  );
});

test('after a process was killed in the middle of a hit, the next one finds exactly the accepted requests', () => {
  const dead = endedProcess();
  const words = wordsOf(HITS_INITIAL_BYTES);
  fc.assert(
    fc.property(STEPS, WINDOW_SECONDS, fc.integer({ min: -5, max: 5 }), (steps, windowSeconds, wrong) => {
      words.fill(0);
      const { at } = storesOver(words, windowSeconds);
      let nowMs = 0;
      const single = createHitStore({ windowSeconds, now: () => nowMs });
      for (const { waitMs, key, store, limit } of steps) {
        nowMs += waitMs;
        spoil(words, wrong);
        words[LOCK] = dead;
        expect(at(nowMs, store).hit(`key ${key}`, limit)).toEqual(single.hit(`key ${key}`, limit));
        expect(words[LOCK]).toBe(0);
      }
    }),
    { numRuns: 5 },
  );
});

test('a process that goes on late in the middle of a hit clears the memory: all windows begin anew', () => {
  const entries = 1 << 12;
  const words = wordsOf(HITS_INITIAL_BYTES + entries * 16);
  const { at, duringExtension } = storesOver(words, 60, { patienceMs: 50 });
  for (let hit = 0; hit < entries; hit++) at(hit, hit === 0 ? 0 : 1).hit(`key ${hit % 5}`, 1e6);
  // The first store is stopped while it makes room; the second takes over, makes room itself, and goes on for long.
  duringExtension.push(() => {
    for (let hit = 0; hit < entries / 2; hit++) at(entries + hit, 1).hit(`key ${hit % 7}`, 1e6);
    // All that the first one knows has left the window.
    for (let hit = 0; hit < entries; hit++) at(100_000 + hit, 1).hit(`key ${hit % 7}`, 1e6);
  });
  at(entries, 0).hit('key 0', 1e6);
  expect(at(104_096, 1).activeKeys()).toBe(0);
  let nowMs = 104_096;
  const single = createHitStore({ windowSeconds: 60, now: () => nowMs });
  for (let hit = 0; hit < 3000; hit++) {
    nowMs += (hit % 9) * 20;
    const key = `key ${hit % 11}`;
    expect(at(nowMs, hit % 2).hit(key, 40)).toEqual(single.hit(key, 40));
  }
  expect(at(nowMs, 0).activeKeys()).toBe(single.activeKeys());
});

test('a process that grew the memory too late, after another had, writes nothing beyond it', () => {
  const entries = 1 << 12;
  const room = HITS_INITIAL_BYTES + entries * 16;
  const words = wordsOf(room + 4 * entries * 16);
  const { at, duringExtension } = storesOver(words, 60, { patienceMs: 50, usableBytes: room });
  for (let hit = 0; hit < entries; hit++) at(hit, hit === 0 ? 0 : 1).hit('key', 1e6);
  duringExtension.push(() => {
    expect(at(entries, 1).hit('key', 1e6).count).toBe(entries + 1);
    for (let hit = 1; hit < entries; hit++) at(entries + hit, 1).hit('key', 1e6);
  });
  expect(at(2 * entries, 0).hit('key', 1e6).refused).toBe(true);
  expect(words.subarray(room / Int32Array.BYTES_PER_ELEMENT).some((word) => word !== 0)).toBe(false);
  expect(at(2 * entries, 1).hit('key', 1e6)).toEqual({ refused: false, count: 1, awaitedAgeMs: 0 });
});

test('a process that grew the memory after losing the lock counts nothing', () => {
  const entries = 1 << 12;
  const { at, duringExtension } = storesOver(wordsOf(HITS_INITIAL_BYTES + entries * 16), 60, { patienceMs: 50 });
  for (let hit = 0; hit < entries; hit++) at(hit, hit === 0 ? 0 : 1).hit('key', 1e6);
  duringExtension.push(() => expect(at(100_000, 1).activeKeys()).toBe(0));
  expect(at(entries, 0).hit('key', 1e6).refused).toBe(true);
  expect(at(100_000, 0).hit('key', 1e6)).toEqual({ refused: false, count: 1, awaitedAgeMs: 0 });
});

test('a process that extends the shared file after another has does not crash', () => {
  const { status, signal, stderr } = spawnSync(process.execPath, [LATE_GROWER], { encoding: 'utf8' });
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
});

test.each([
  ['the next process', () => FREE],
  ['a process that takes over from a killed one', endedProcess],
])('inconsistent numbers, as a late process may write them, do not hold up %s: all windows begin anew', (_, holder) => {
  // In a process of its own: to look at as many entries as they tell of takes minutes, and can be ended from outside
  // alone.
  const { status, stdout } = spawnSync(process.execPath, [UNSOUND_HITS, String(holder())], {
    encoding: 'utf8',
    timeout: 15_000,
    killSignal: 'SIGKILL',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '{"refused":false,"count":1,"awaitedAgeMs":0}\n' });
});

test('a hundred thousand keys can be active in one window, each with a limit of its own', () => {
  const keys = Array.from({ length: 100_000 }, (_, number) => number.toString(16).padStart(16, '0'));
  const { at } = storesOver(wordsOf(HITS_INITIAL_BYTES + (1 << 18) * 16), 60);
  const refused = (round: number) => keys.filter((key) => at(round, round % 2).hit(key, 1).refused).length;
  expect([refused(1), refused(2)]).toEqual([0, keys.length]);
  expect(at(3, 0).activeKeys()).toBe(keys.length);
});

test('the memory grows with the requests in the window, and requests without room are refused', () => {
  const entries = 1 << 13;
  const words = wordsOf(HITS_INITIAL_BYTES + (entries / 2) * 16);
  const { at, extended } = storesOver(words, 60);
  // The oldest ones leave meanwhile, so that the ring has come around when it has to grow.
  const early = numbersBelow(3000).filter((hit) => at(hit, 0).hit('early', 1e6).refused);
  expect(early).toEqual([]);
  const wrong = numbersBelow(entries).filter(
    (hit) => at(70_000 + hit, hit % 2).hit(`key ${hit % 7}`, 1e6).count !== Math.floor(hit / 7) + 1,
  );
  expect(wrong).toEqual([]);
  expect(extended).toEqual([[HITS_INITIAL_BYTES, words.byteLength]]);
  expect(at(78_192, 0).hit('key 0', 1e6)).toMatchObject({ refused: true, count: 1171 });
  expect(at(78_192, 0).hit('new', 1e6)).toEqual({ refused: true, count: 0, awaitedAgeMs: 0 });
  // The first of them leaves.
  expect(at(130_001, 0).hit('new', 1e6)).toMatchObject({ refused: false, count: 1 });
});

test('if the memory cannot grow, that is reported once, and tried again after a minute in any process', () => {
  const entries = 1 << 12;
  const { at, attempted, onNoRoom } = storesOver(wordsOf(HITS_INITIAL_BYTES), 3600);
  expect(numbersBelow(entries).filter((hit) => at(hit, hit % 2).hit('key', 1e6).refused)).toEqual([]);
  expect(attempted).not.toHaveBeenCalled();
  for (let hit = 0; hit < 100; hit++) expect(at(entries + hit, hit % 2).hit('key', 1e6).refused).toBe(true);
  expect(attempted).toHaveBeenCalledOnce();
  expect(onNoRoom).toHaveBeenCalledExactlyOnceWith(new Error('no space'));
  at(entries + 59_999, 0).hit('key', 1e6);
  expect(attempted).toHaveBeenCalledOnce();
  at(entries + 60_000, 0).hit('key', 1e6);
  at(entries + 60_001, 1).hit('key', 1e6);
  expect([attempted, onNoRoom].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
});

test('a key’s requests of one millisecond share an entry, so that a large limit needs at most one per millisecond', () => {
  const { at, extended } = storesOver(wordsOf(HITS_INITIAL_BYTES), 60);
  const wrong = numbersBelow(20_000).filter(
    (hit) => at(Math.floor(hit / 10), hit % 2).hit('key', 20_000).count !== hit + 1,
  );
  expect(wrong).toEqual([]);
  expect(at(2000, 0).hit('key', 20_000)).toMatchObject({ refused: true });
  expect(extended).toEqual([]);
  expect(HITS_MOST_BYTES).toBeGreaterThan(HITS_INITIAL_BYTES);
});

const numbersBelow = (end: number): number[] => Array.from({ length: end }, (_, number) => number);

function sharedMemory(processes: number): number {
  const { fd } = createTallies(processes);
  onTestFinished(() => closeSync(fd));
  return fd;
}

test('several processes at once accept no more requests than the limit in any window', async () => {
  const [processes, windowSeconds] = [3, 0.4];
  /** How many requests are accepted within one and a half windows, or the more the lower the limit is. */
  const acceptedWith = async (limit: number): Promise<number> => {
    const fd = sharedMemory(processes);
    const hitting = { fd, processes, windowSeconds, limit, durationMs: (600 * 800) / limit };
    const running = await Promise.all([0, 1, 2].map((index) => startHitting({ ...hitting, index })));
    for (const { begin } of running) begin();
    const perProcess = await Promise.all(running.map(({ accepted }) => accepted()));
    const accepted = perProcess.flat();
    const before = accepted.map(([beforeMs]) => beforeMs).sort((one, other) => one - other);
    const after = accepted.map(([, afterMs]) => afterMs).sort((one, other) => one - other);
    // One more than the limit takes at least a window.
    for (let hit = 0; hit + limit < accepted.length; hit++) {
      expect((after[hit + limit] ?? 0) - (before[hit] ?? 0)).toBeGreaterThanOrEqual(windowSeconds * 1000);
    }
    const { hits } = openTallies({ fd, processes, index: 0, windowSeconds });
    expect(hits.hit('one', limit).count).toBeLessThanOrEqual(limit);
    return accepted.length;
  };
  // The first window has to be full, and so has the second: a busy machine comes to no more than a lower limit, and later.
  let areFull = false;
  for (let limit = 800; !areFull && limit >= 100; limit /= 2) areFull = (await acceptedWith(limit)) >= 2 * limit;
  expect(areFull).toBe(true);
});

test('a process stopped in the middle of a hit delays the others by seconds only, and counts again when it goes on', async () => {
  const [processes, windowSeconds, limit] = [2, 3600, 1e9];
  const fd = sharedMemory(processes);
  const { hits } = openTallies({ fd, processes, index: 0, windowSeconds });
  const at = hitsAt(processes);
  const words = new Int32Array(mapSharedFile(fd, at + HITS_INITIAL_BYTES), at);
  const hitting = await startHitting({ fd, processes, index: 1, windowSeconds, limit, durationMs: 60_000 });
  hitting.begin();
  // Until it is stopped with the lock held.
  for (let isHeld = false; !isHeld; ) {
    hitting.resume();
    await sleep(5);
    hitting.pause();
    await sleep(5);
    isHeld = words[LOCK] !== 0;
  }
  const startedAtMs = performance.now();
  const { count } = hits.hit('one', limit);
  expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  expect(hits.hit('one', limit).count).toBe(count + 1);
  hitting.resume();
  // It counts again, from the beginning.
  await vi.waitFor(() => {
    const before = hits.hit('one', limit).count;
    expect(hits.hit('one', limit).count).toBeGreaterThan(before + 1);
  }, WAIT);
  await hitting.kill();
  const after = hits.hit('one', limit).count;
  expect(hits.hit('one', limit).count).toBe(after + 1);
  expect(hits.activeKeys()).toBe(1);
});

test('killing processes in the middle of hits blocks nobody and loses no count', async () => {
  const [processes, windowSeconds, limit] = [2, 3600, 1e9];
  const fd = sharedMemory(processes);
  const { hits } = openTallies({ fd, processes, index: 0, windowSeconds });
  const hit = (): number => hits.hit('one', limit).count;
  for (let round = 0; round < 4; round++) {
    const hitting = await startHitting({ fd, processes, index: 1, windowSeconds, limit, durationMs: 60_000 });
    hitting.begin();
    // Until it has hit between two of ours.
    let last = hit();
    for (let count = hit(); count === last + 1; count = hit()) last = count;
    await hitting.kill();
    const count = hit();
    expect(count).toBeGreaterThan(last);
    expect(hit()).toBe(count + 1);
  }
  expect(hits.activeKeys()).toBe(1);
});
