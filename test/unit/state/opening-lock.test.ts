import { describe, expect, it } from 'vitest';
import { createOpeningLock } from '../../../src/state/opening-lock.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Whether it is settled once everything that can go on without it has gone on for a while. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const still = Symbol('pending');
  return (await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 30, still))])) === still;
}

/** Two locks of one directory stand for two processes: the kernel tells them apart by their open files. */
function twoProcesses(timeoutMs?: number) {
  const directory = temporaryDirectory();
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  return [createOpeningLock(directory, options), createOpeningLock(directory, options)] as const;
}

describe('the lock between opening and writing', () => {
  it('lets writers of all processes in together', async () => {
    const [a, b] = twoProcesses();
    await a.enter();
    await a.enter();
    const entered = b.enter();
    expect(await isPending(entered)).toBe(false);
    a.leave();
    a.leave();
    b.leave();
  });

  it('keeps an opening waiting until the last writer has left', async () => {
    const [a, b] = twoProcesses();
    await a.enter();
    await a.enter();
    const opened = b.alone(() => 'open');
    a.leave();
    expect(await isPending(opened)).toBe(true);
    a.leave();
    expect(await opened).toBe('open');
  });

  it('lets no writer in before an opening that waits, so that writers in a row cannot keep it waiting', async () => {
    const [a, b] = twoProcesses();
    await a.enter();
    const opened = b.alone(() => 'open');
    const later = a.enter();
    expect(await isPending(later)).toBe(true);
    a.leave();
    expect(await opened).toBe('open');
    await later;
    a.leave();
  });

  it('keeps writers of the same process waiting in their order', async () => {
    const [a, b] = twoProcesses();
    await b.enter();
    const opened = a.alone(() => undefined);
    const order: number[] = [];
    const entering = [1, 2, 3].map((n) => a.enter().then(() => order.push(n)));
    b.leave();
    await Promise.all([opened, ...entering]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('is given back by an opening that throws', async () => {
    const [a, b] = twoProcesses();
    await expect(
      a.alone(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await b.alone(() => 'open')).toBe('open');
  });

  it('is an error where another process keeps it', async () => {
    const [a, b] = twoProcesses(20);
    await a.enter();
    await expect(b.alone(() => 'open')).rejects.toMatchObject({
      code: 'io-failed',
      detail: expect.stringContaining('writing'),
    });
    a.leave();
    expect(await b.alone(() => 'open')).toBe('open');
  });

  it('is an error where the system has no lock to give', async () => {
    const lock = createOpeningLock(temporaryDirectory());
    // What a lock file that is closed is to the system.
    lock.close();
    const refused = { code: 'io-failed', detail: expect.stringContaining('EBADF') };
    const tried = [lock.enter(), lock.alone(() => 'open')];
    for (const outcome of tried) await expect(outcome).rejects.toMatchObject(refused);
  });
});
