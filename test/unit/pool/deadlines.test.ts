import { expect, onTestFinished, test, vi } from 'vitest';
import { createDeadlines } from '../../../src/pool/deadlines.js';

test('each item expires at its deadline unless it is settled before, and one timer serves all of them', () => {
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
    vi.advanceTimersByTime(20);
    ask('fourth');
    vi.advanceTimersByTime(39);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(61);
    expect(ended).toEqual(['second at 100', 'third at 140', 'fourth at 160']);
    expect(vi.getTimerCount()).toBe(0);
    open = [];
    ask('after a pause');
    vi.advanceTimersByTime(100);
    expect(ended.slice(3)).toEqual(['after a pause at 260']);
    ask('given up');
    deadlines.stop();
    vi.advanceTimersByTime(1000);
    expect(ended).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

test('items that are removed or added while others expire have their time, no more and no less', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const startMs = Date.now();
  const ended: string[] = [];
  const open: { readonly name: string; readonly askedAtMs: number; readonly isOver: boolean }[] = [];
  const deadlines = createDeadlines(
    100,
    Date.now,
    () => open,
    (item) => {
      ended.push(`${item.name} at ${Date.now() - startMs}`);
      open.splice(open.indexOf(item), 1);
      if (item.name === 'second') ask('third');
    },
  );
  const ask = (name: string): void => {
    open.push({ name, askedAtMs: Date.now(), isOver: false });
    deadlines.start();
  };
  ask('first');
  ask('second');
  vi.advanceTimersByTime(50);
  ask('before the third');
  vi.advanceTimersByTime(50);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(900);
  expect(ended).toEqual(['first at 100', 'second at 100', 'before the third at 150', 'third at 200']);
  expect(vi.getTimerCount()).toBe(0);
});
