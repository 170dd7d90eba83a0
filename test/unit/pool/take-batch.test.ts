import { describe, expect, test, vi } from 'vitest';
import type { OpenRequest } from '../../../src/pool/request.js';
import { isWorthMessage, takeBatch } from '../../../src/pool/take-batch.js';

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

  test('has at least four tasks, however small its share: fewer are not worth a message', () => {
    expect(
      takeBatch(
        Array.from({ length: 10 }, () => request(0.01)),
        { share: 1, turnMs: 0 },
        vi.fn(),
      ),
    ).toHaveLength(4);
  });

  test('has one long task, or two shorter ones', () => {
    const waiting = [request(50), request(50)];
    expect(takeBatch(waiting, { share: 2, turnMs: 0 }, vi.fn())).toHaveLength(1);
    expect(waiting).toHaveLength(1);
    expect(takeBatch([request(0.9), request(0.9), request(0.9)], { share: 3, turnMs: 0 }, vi.fn())).toHaveLength(2);
  });

  test('may take as long as the last turn of the event loop, if that was long', () => {
    const lengths = [0, 9, 10, 20, 1000].map((turnMs) => {
      const waiting = Array.from({ length: 80 }, () => request(1));
      return takeBatch(waiting, { share: 80, turnMs }, vi.fn()).length;
    });
    expect(lengths).toEqual([5, 5, 10, 20, 50]);
  });

  test('may take a quarter of the time that all waiting tasks take, up to five milliseconds', () => {
    const lengths = [10, 20, 40, 80, 160, 400].map((count) => {
      const waiting = Array.from({ length: count }, () => request(0.125));
      return takeBatch(waiting, { share: count, turnMs: 0 }, vi.fn()).length;
    });
    expect(lengths).toEqual([4, 5, 10, 20, 40, 40]);
  });

  test('has no other task beside one that is to be alone', () => {
    const waiting = [request(0.01), request(0.01, { isAlone: true }), request(0.01, { isAlone: true }), request(0.01)];
    const sizes = [1, 2, 3, 4].map(() => takeBatch(waiting, { share: 4, turnMs: 0 }, vi.fn()).length);
    expect(sizes).toEqual([1, 1, 1, 1]);
  });

  test('skips settled requests, and drops those whose clients are gone', () => {
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

test('eight searches around points are worth a message, and twenty rankings', () => {
  const isWorth = (count: number, expectedMs: number) => isWorthMessage(Array(count).fill({ expectedMs }));
  expect([isWorth(7, 0.0137), isWorth(8, 0.0137)]).toEqual([false, true]);
  expect([isWorth(20, 0.0049), isWorth(21, 0.0049)]).toEqual([false, true]);
  expect([isWorth(0, 1), isWorth(1, 1)]).toEqual([false, true]);
});
