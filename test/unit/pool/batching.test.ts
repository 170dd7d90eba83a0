import { describe, expect, test, vi } from 'vitest';
import { createArena } from '../../../src/pool/arena.js';
import { createDeadlines } from '../../../src/pool/deadlines.js';
import type { OpenRequest } from '../../../src/pool/request.js';
import { takeBatch } from '../../../src/pool/take-batch.js';

function request(expectedMs: number, traits: Partial<OpenRequest> = {}): OpenRequest {
  return {
    task: { kind: 'rankings', row: 0 },
    client: { gone: () => false },
    askedAtMs: 0,
    expectedMs,
    isAlone: false,
    isOver: false,
    resolve: vi.fn(),
    reject: vi.fn(),
    ...traits,
  };
}

describe('a batch', () => {
  test('is the head of the queue, as many as asked for', () => {
    const waiting = Array.from({ length: 10 }, () => request(0.01));
    const [first, , , , , sixth] = waiting;
    const batch = takeBatch(waiting, { share: 5, turnMs: 0 }, vi.fn());
    expect(batch).toHaveLength(5);
    expect([batch[0], waiting[0]]).toEqual([first, sixth]);
    expect(waiting).toHaveLength(5);
  });

  test('is no smaller than what a message is worth', () => {
    expect(
      takeBatch(
        Array.from({ length: 10 }, () => request(0.01)),
        { share: 1, turnMs: 0 },
        vi.fn(),
      ),
    ).toHaveLength(4);
  });

  test('of long tasks holds but one, of shorter ones two', () => {
    const waiting = [request(50), request(50)];
    expect(takeBatch(waiting, { share: 2, turnMs: 0 }, vi.fn())).toHaveLength(1);
    expect(waiting).toHaveLength(1);
    expect(takeBatch([request(0.9), request(0.9), request(0.9)], { share: 3, turnMs: 0 }, vi.fn())).toHaveLength(2);
  });

  test('takes as long as a long turn of the event loop', () => {
    const lengths = [0, 9, 10, 20, 1000].map((turnMs) => {
      const waiting = Array.from({ length: 80 }, () => request(1));
      return takeBatch(waiting, { share: 80, turnMs }, vi.fn()).length;
    });
    expect(lengths).toEqual([2, 2, 10, 20, 50]);
  });

  test('holds nothing beside a task that is to be alone', () => {
    const waiting = [request(0.01), request(0.01, { isAlone: true }), request(0.01, { isAlone: true }), request(0.01)];
    const sizes = [1, 2, 3, 4].map(() => takeBatch(waiting, { share: 4, turnMs: 0 }, vi.fn()).length);
    expect(sizes).toEqual([1, 1, 1, 1]);
  });

  test('leaves out what was given up, and drops whose client is gone', () => {
    const over = request(1, { isOver: true });
    const gone = request(1, { client: { gone: () => true } });
    const there = request(0.01);
    const dropped = vi.fn();
    const waiting = [over, gone, there];
    expect(takeBatch(waiting, { share: 1, turnMs: 0 }, dropped)).toEqual([there]);
    expect(dropped).toHaveBeenCalledExactlyOnceWith(gone);
    expect(waiting).toEqual([]);
  });
});

describe('an arena', () => {
  test('lays bodies side by side in one buffer of the expected size', () => {
    const arena = createArena(10_000);
    const bodies = [3000, 0, 7000].map((size) => arena.allocate(size));
    expect(bodies.map(arena.placeOf)).toEqual([
      { buffer: 0, start: 0 },
      { buffer: 0, start: 3000 },
      { buffer: 0, start: 3000 },
    ]);
    expect(arena.finish().map(({ byteLength }) => byteLength)).toEqual([10_000]);
  });

  test('takes another buffer where the expected size does not suffice, and one large enough for a huge body', () => {
    const arena = createArena(5000);
    const bodies = [4000, 2000, 90_000].map((size) => arena.allocate(size));
    expect(bodies.map((body) => arena.placeOf(body).buffer)).toEqual([0, 1, 2]);
    expect(arena.finish().map(({ byteLength }) => byteLength)).toEqual([5000, 5000, 90_000]);
  });

  test('knows no body but its own', () => {
    const arena = createArena(10);
    arena.allocate(1);
    expect(() => arena.placeOf(Buffer.alloc(1))).toThrow('outside');
  });
});

test('each item is ended when its time is over, unless it is over, and the timer is set for the next', () => {
  vi.useFakeTimers();
  try {
    const startMs = Date.now();
    const ended: string[] = [];
    let open: { readonly name: string; readonly askedAtMs: number; isOver: boolean }[] = [];
    const deadlines = createDeadlines(
      100,
      Date.now,
      () => open,
      (item) => {
        ended.push(`${item.name} at ${Date.now() - startMs}`);
        item.isOver = true;
      },
    );
    const ask = (name: string) => {
      const item = { name, askedAtMs: Date.now(), isOver: false };
      open.push(item);
      deadlines.start();
      return item;
    };
    const first = ask('first');
    ask('second');
    vi.advanceTimersByTime(40);
    ask('third');
    first.isOver = true;
    vi.advanceTimersByTime(59);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(41);
    expect(ended).toEqual(['second at 100', 'third at 140']);
    expect(vi.getTimerCount()).toBe(0);
    open = [];
    ask('after a pause');
    vi.advanceTimersByTime(100);
    expect(ended).toEqual(['second at 100', 'third at 140', 'after a pause at 240']);
    ask('given up');
    deadlines.stop();
    vi.advanceTimersByTime(1000);
    expect(ended).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});
