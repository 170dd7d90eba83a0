import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLineOutput, type LineOutput, type WriteCalls } from '../../../src/platform/line-output.js';

type Answer = NodeJS.ErrnoException | number;

/** A descriptor that takes what it is told to, or as much of it as it is told to, or fails. */
function descriptor() {
  let answer: Answer = Number.POSITIVE_INFINITY;
  let taken = '';
  const pending: (() => void)[] = [];
  const take = (bytes: Uint8Array): number => {
    if (typeof answer !== 'number') throw answer;
    const part = bytes.subarray(0, answer);
    taken += Buffer.from(part).toString();
    return part.length;
  };
  const system: WriteCalls = {
    write: (_fd, bytes, _from, _length, _position, done) => {
      pending.push(() => {
        if (typeof answer === 'number') done(null, take(bytes));
        else done(answer, 0);
      });
    },
    writeSync: (_fd, bytes) => take(bytes),
  };
  return {
    system,
    taken: () => taken,
    pending,
    answers: (next: Answer) => {
      answer = next;
    },
    /** Ends the writes that are under way, and those that come of it. */
    settle: () => {
      for (let write = pending.shift(); write; write = pending.shift()) write();
    },
  };
}

const failing = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

let fd: ReturnType<typeof descriptor>;
let lost: number[];
let output: LineOutput;

beforeEach(() => {
  vi.useFakeTimers();
  fd = descriptor();
  lost = [];
  const onLost = (lines: number): void => void lost.push(lines);
  output = createLineOutput({ fd: 1, maxWriteBytes: 10, onLost, system: fd.system });
});
afterEach(() => void vi.useRealTimers());

test('lines are written whole and in order, as many per write as fit', () => {
  for (const line of ['one\n', 'two\n', 'three\n', 'longer than ten\n', 'ä\n']) output.write(line);
  const writes: string[] = [];
  while (fd.pending.length > 0) {
    const before = fd.taken();
    fd.pending.shift()?.();
    writes.push(fd.taken().slice(before.length));
  }
  expect(writes).toEqual(['one\n', 'two\nthree\n', 'longer than ten\n', 'ä\n']);
});

test('a short write is continued where it ended', () => {
  fd.answers(3);
  output.write('one and two\n');
  fd.settle();
  expect(fd.taken()).toBe('one and two\n');
});

describe.each(['ENOSPC', 'EIO', 'EAGAIN'])('after a write that fails with %s', (code) => {
  test('lines wait until a retry succeeds', () => {
    fd.answers(failing(code));
    output.write('one\n');
    fd.settle();
    output.write('two\n');
    vi.advanceTimersByTime(1000);
    fd.settle();
    expect(fd.taken()).toBe('');
    fd.answers(Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(1000);
    fd.settle();
    expect(fd.taken()).toBe('one\ntwo\n');
    expect(lost).toEqual([]);
  });

  test('lines without room are counted, and reported once writing succeeds again', () => {
    fd.answers(failing(code));
    const line = `${'x'.repeat(1023)}\n`;
    for (let count = 0; count < 16 * 1024; count++) output.write(line);
    fd.settle();
    output.write('lost\nlost, too\n');
    output.write('lost\n');
    fd.answers(Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(1000);
    fd.settle();
    expect(fd.taken().length).toBe(16 * 1024 * 1024);
    expect(lost).toEqual([3]);
    output.write('kept\n');
    fd.settle();
    expect(fd.taken().endsWith('kept\n')).toBe(true);
    expect(lost).toEqual([3]);
  });

  test('a flush gives up instead of blocking forever', () => {
    vi.useRealTimers();
    fd.answers(failing(code));
    output.write('one\n');
    fd.settle();
    output.flush();
    expect(fd.taken()).toBe('');
  });
});

test('while a pipe has no reader nothing is kept; another reader gets what follows, and how many lines it missed', () => {
  fd.answers(failing('EPIPE'));
  output.write('one\n');
  output.write('two\n');
  fd.settle();
  output.write('three\n');
  fd.settle();
  vi.advanceTimersByTime(1000);
  expect(fd.pending).toEqual([]);
  fd.answers(Number.POSITIVE_INFINITY);
  output.flush();
  expect(fd.taken()).toBe('');
  output.write('four\n');
  fd.settle();
  expect(fd.taken()).toBe('four\n');
  expect(lost).toEqual([3]);
});

test('a flush writes the waiting lines, without those of a write in progress', () => {
  output.write('one\n');
  output.write('two\n');
  output.write('three\n');
  output.flush();
  expect(fd.taken()).toBe('two\nthree\n');
  output.write('four\n');
  fd.settle();
  expect(fd.taken()).toBe('two\nthree\none\nfour\n');
});

test('a second flush drops nothing that the first one could not write', () => {
  const outOfSpace = vi.spyOn(fd.system, 'writeSync').mockImplementationOnce(() => {
    throw failing('ENOSPC');
  });
  onTestFinished(() => outOfSpace.mockRestore());
  output.write('one\n');
  output.write('two\n');
  output.flush();
  expect(fd.taken()).toBe('');
  output.flush();
  expect(fd.taken()).toBe('two\n');
  fd.settle();
  expect(fd.taken()).toBe('two\none\n');
});

test('ending waits for a write in progress, so that the lines stay in order', async () => {
  output.write('one\n');
  output.write('two\n');
  const ended = output.end();
  output.write('three\n');
  expect(fd.taken()).toBe('');
  fd.settle();
  await ended;
  expect(fd.taken()).toBe('one\ntwo\nthree\n');
});

test('ending retries a failed write', async () => {
  fd.answers(failing('ENOSPC'));
  output.write('one\n');
  output.write('two\n');
  const ended = output.end();
  fd.pending.shift()?.();
  fd.answers(Number.POSITIVE_INFINITY);
  await ended;
  expect(fd.taken()).toBe('one\ntwo\n');
});

test('ending does not wait forever for a write in progress', async () => {
  output.write('one\n');
  output.write('two\n');
  const ended = output.end();
  await vi.advanceTimersByTimeAsync(3000);
  await ended;
  expect(fd.taken()).toBe('two\n');
});

test('a flush retries a failed write', () => {
  fd.answers(failing('ENOSPC'));
  output.write('one\n');
  fd.settle();
  fd.answers(2);
  output.flush();
  expect(fd.taken()).toBe('one\n');
});

test('a flush waits for a slow reader', () => {
  vi.useRealTimers();
  const attempts = vi.spyOn(fd.system, 'writeSync').mockImplementationOnce(() => {
    throw failing('EAGAIN');
  });
  onTestFinished(() => attempts.mockRestore());
  fd.answers(failing('ENOSPC'));
  output.write('one\n');
  fd.settle();
  fd.answers(Number.POSITIVE_INFINITY);
  output.flush();
  expect(fd.taken()).toBe('one\n');
});

describe('where a write waits for nobody', () => {
  beforeEach(() => {
    const { writeSync } = fd.system;
    output = createLineOutput({
      fd: 1,
      maxWriteBytes: 10,
      onLost: (lines) => void lost.push(lines),
      system: { writeSync },
    });
  });

  test('lines are written at once, and a short write is continued where it ended', () => {
    fd.answers(3);
    output.write('one\ntwo\n');
    output.write('three\n');
    expect(fd.taken()).toBe('one\ntwo\nthree\n');
    expect(fd.pending).toEqual([]);
  });

  test('lines wait until a retry succeeds, in order, and those for which there was no room are counted', () => {
    fd.answers(failing('EAGAIN'));
    output.write('one\n');
    output.write(`${'x'.repeat(16 * 1024 * 1024 - 5)}\n`);
    output.write('lost\n');
    fd.answers(Number.POSITIVE_INFINITY);
    expect(fd.taken()).toBe('');
    vi.advanceTimersByTime(1000);
    output.write('next\n');
    expect([fd.taken().length, fd.taken().slice(0, 5), fd.taken().slice(-7)]).toEqual([
      16 * 1024 * 1024 + 5,
      'one\nx',
      'x\nnext\n',
    ]);
    expect(lost).toEqual([1]);
  });

  test('a full pipe is tried again soon, and less and less often while its reader stands still', () => {
    const triesIn = (ms: number): number => {
      let tries = 0;
      const { writeSync } = fd.system;
      fd.system.writeSync = (...given) => {
        tries++;
        return writeSync(...given);
      };
      vi.advanceTimersByTime(ms);
      fd.system.writeSync = writeSync;
      return tries;
    };
    output = createLineOutput({
      fd: 1,
      maxWriteBytes: 10,
      onLost: () => {},
      system: { writeSync: (...given) => fd.system.writeSync(...given) },
    });
    for (const line of ['one\n', 'two\n']) {
      fd.answers(failing('EAGAIN'));
      output.write(line);
      expect(triesIn(1)).toBe(1);
      expect(triesIn(1000)).toBeLessThan(20);
      fd.answers(Number.POSITIVE_INFINITY);
      vi.advanceTimersByTime(100);
    }
    expect(fd.taken()).toBe('one\ntwo\n');
  });

  test('another reader gets what follows; the report of lost lines that is lost, too, brings forth no other', async () => {
    output = createLineOutput({
      fd: 1,
      maxWriteBytes: 10,
      onLost: (lines) => {
        lost.push(lines);
        fd.answers(failing('EPIPE'));
        output.write(`${lines}\n`);
      },
      system: { writeSync: fd.system.writeSync },
    });
    fd.answers(failing('EPIPE'));
    output.write('one\n');
    fd.answers(Number.POSITIVE_INFINITY);
    output.write('two\n');
    vi.advanceTimersByTime(1000);
    await output.end();
    expect(fd.taken()).toBe('two\n');
    expect(lost).toEqual([1]);
  });

  test('ending writes what a full pipe left', async () => {
    fd.answers(failing('EAGAIN'));
    output.write('one\n');
    fd.answers(Number.POSITIVE_INFINITY);
    await output.end();
    expect(fd.taken()).toBe('one\n');
  });
});
