import { spawnSync } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CatalogError } from '../../src/catalog/directory/catalog-error.js';
import { DatasetsLockedError } from '../../src/catalog/directory/datasets-lock.js';
import { systemCode } from '../../src/core/system-code.js';
import { FormatError } from '../../src/format/format-error.js';
import { createLogger, createLogOutput, describeError, gatherLines } from '../../src/log.js';
import { StateError } from '../../src/state/state-error.js';
import { eventually } from '../support/eventually.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('an error is logged by its class and places in the code, without its message', () => {
  const { error, frames } = describeError(new RangeError('12 Marked Street'));
  expect(error).toBe('RangeError');
  expect(frames[0]).toMatch(/^at .*log\.test\.ts/);
  expect(JSON.stringify(frames)).not.toContain('Marked');
});

test('an error of this service that holds nothing of a request is logged with what it says', () => {
  const errors = [
    new StateError('disk-full', '/state', 'no space left to store this'),
    new CatalogError('nothing-published', 'no dataset is published'),
    new FormatError('cannot-open', 'tracts.tctx', 'there is no such file'),
    new DatasetsLockedError('compile (pid 7) is at work'),
  ];
  for (const error of errors) expect(describeError(error)).toMatchObject({ error: error.name, reason: error.message });
  expect(describeError(new Error('12 Marked Street', { cause: errors[0] }))).not.toHaveProperty('reason');
});

test('no other class’s text is logged: every message of a new one is to be looked at first', () => {
  const src = resolve(import.meta.dirname, '../../src');
  const texts = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const classes = texts.flatMap((text) =>
    [...text.matchAll(/class (\w+) extends LoggableError/g)].map(([, name]) => name),
  );
  expect(classes.sort()).toEqual([
    'CatalogError',
    'DatasetsLockedError',
    'FormatError',
    'MissingGenerationError',
    'SecretBoxError',
    'SilentProcessError',
    'StateError',
    'UnconfirmedPublicationError',
    'UnreachableGenerationError',
  ]);
});

test('an error of the system is logged with its code, and no other code is', () => {
  const coded = (code: unknown) => describeError(Object.assign(new Error('x'), { code })).error;
  expect(coded('EMFILE')).toBe('Error EMFILE');
  expect(coded('ERR_WORKER_INIT_FAILED')).toBe('Error ERR_WORKER_INIT_FAILED');
  for (const code of ['12 Marked Street', 'Marked', 12, undefined]) expect(coded(code)).toBe('Error');
});

test('a message of several lines cannot pass for a place in the code', () => {
  const { frames } = describeError(new Error('first\n    at 12 Marked Street'));
  expect(frames.length).toBeGreaterThan(0);
  expect(JSON.stringify(frames)).not.toContain('Marked');
});

test('an error whose message was changed after it was made shows neither message', () => {
  const error = new Error('12 Marked Street\n    at 12 Marked Street');
  error.message = 'other';
  expect(JSON.stringify(describeError(error))).not.toContain('Marked');
});

test('what was thrown without being an error shows only its type', () => {
  expect(describeError('12 Marked Street')).toEqual({ error: 'string', frames: [] });
});

test('lines are JSON with level, time and message', () => {
  const lines: string[] = [];
  createLogger('warn', { write: (line) => lines.push(line) }).warn({ a: 1 }, 'said');
  createLogger('warn', { write: (line) => lines.push(line) }).info('unsaid');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), a: 1, msg: 'said' },
  ]);
});

test('lines of one of several processes carry its id', () => {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }, 7).info('said');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ pid: 7, msg: 'said' }]);
});

test('gathered lines are passed on whole, in their order, together up to the size that was asked for', () => {
  const written: string[] = [];
  const { add, pass } = gatherLines(8, (lines) => written.push(lines));
  for (const line of ['one\n', 'two\n', 'three\n', 'more than eight\n']) add(line);
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
  pass();
  expect(written.at(-1)).toBe('more than eight\n');
  pass();
  expect(written).toHaveLength(3);
});

/** What a pipe holds, which is then empty. */
function readAll(fd: number): string {
  const bytes = Buffer.alloc(128 * 1024);
  try {
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return '';
    throw error;
  }
}

describe('lines of requests, which are gathered,', () => {
  function logToFile(pid?: number) {
    const file = join(temporaryDirectory(), 'log');
    const fd = openSync(file, 'a');
    onTestFinished(() => closeSync(fd));
    const lines = (): unknown[] =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    return { ...createLogOutput('info', fd, pid), fd, lines };
  }

  test('come out before the event that is logged after them', async () => {
    const { logger, writeLine, end, lines } = logToFile();
    writeLine('{"a":1}\n');
    logger.info('said');
    await end();
    expect(lines()).toMatchObject([{ a: 1 }, { msg: 'said' }]);
  });

  test('are not lost when the process ends', async () => {
    const { writeLine, end, lines } = logToFile();
    writeLine('{"a":1}\n');
    await end();
    expect(lines()).toEqual([{ a: 1 }]);
  });

  test('are not lost when it cannot wait, either', async () => {
    const { logger, writeLine, flush, lines } = logToFile();
    logger.info('said');
    writeLine('{"a":1}\n');
    flush();
    expect(lines()).toContainEqual({ a: 1 });
    // The other write was in progress, and ends before the process does.
    await eventually(() => expect(lines()).toHaveLength(2));
  });

  test('go to a pipe without much room in whole lines if there are several processes', async () => {
    const path = join(temporaryDirectory(), 'pipe');
    spawnSync('mkfifo', [path]);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(fd));
    const leaveTwoPages = (): void => {
      expect(() => {
        for (;;) writeSync(fd, Buffer.alloc(4096, ' '));
      }).toThrow('EAGAIN');
      readSync(fd, Buffer.alloc(2 * 4096));
    };
    leaveTwoPages();
    const { writeLine, end } = createLogOutput('info', fd, 7);
    for (let line = 0; line < 2000; line++) writeLine(`{"line":${line}}\n`);
    // Between any two of these, another process could write. What does not fit is written again some milliseconds later.
    const pieces = [readAll(fd).trimStart()];
    for (let round = 0; round < 5; round++) {
      leaveTwoPages();
      await delay(50);
      pieces.push(readAll(fd).trimStart());
    }
    await end();
    pieces.push(readAll(fd));
    expect(pieces.filter((piece) => !/^(\{.*\}\n)?$/s.test(piece))).toEqual([]);
    const lines = pieces.join('').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 2000 }, (_, line) => line));
  });

  test('go to a file in large pieces, whether there are several processes or one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { writeLine, end, fd } = logToFile(7);
    for (let line = 0; line < 900; line++) writeLine('{"a":"aaaaaaaaaaaa"}\n');
    await delay(100);
    expect(fstatSync(fd).size).toBe(0);
    await end();
    expect(fstatSync(fd).size).toBe(900 * '{"pid":7,"a":"aaaaaaaaaaaa"}\n'.length);
  });

  test('carry the id of their process if there are several', async () => {
    const { writeLine, end, lines } = logToFile(7);
    writeLine('{"a":1}\n');
    await end();
    expect(lines()).toEqual([{ pid: 7, a: 1 }]);
  });
});
