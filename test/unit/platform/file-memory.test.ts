import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { mapFileMemory } from '../../../src/platform/file-memory.js';
import { packageFile } from '../../../src/platform/package-root.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const MEBIBYTE = 2 ** 20;

const SCRIPT_START = `
  import { openSync } from 'node:fs';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { mapFileMemory } from ${JSON.stringify(packageFile('dist', 'src', 'platform', 'file-memory.js'))};
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');`;

/** Runs a script in a process of its own, and returns what it writes. Throws if it fails. */
const run = (script: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });

/** Opens a file of this size that begins with 1, 2, 3 and ends with 9, with zeros between that take no space. */
function openFileOf(sizeBytes: number): number {
  const path = join(temporaryDirectory(), 'file');
  const fd = openSync(path, 'w+');
  onTestFinished(() => closeSync(fd));
  ftruncateSync(fd, sizeBytes);
  writeSync(fd, Uint8Array.of(1, 2, 3), 0, 3, 0);
  writeSync(fd, Uint8Array.of(9), 0, 1, sizeBytes - 1);
  return fd;
}

test.each([4, 4095, 4096, 4097, 65_536, MEBIBYTE + 1, 64 * MEBIBYTE])(
  'a file of %i bytes is seen from its first byte to its last',
  (sizeBytes) => {
    const { bytes, release } = mapFileMemory(openFileOf(sizeBytes), sizeBytes);
    expect(bytes.length).toBe(sizeBytes);
    expect([...bytes.subarray(0, 3), bytes.at(-1)]).toEqual([1, 2, 3, 9]);
    release();
  },
);

test('V8 does not count a mapped file as memory that a collection could free', () => {
  const before = process.memoryUsage();
  const { release } = mapFileMemory(openFileOf(64 * MEBIBYTE), 64 * MEBIBYTE);
  const { external } = process.memoryUsage();
  release();
  expect(external - before.external).toBeLessThan(MEBIBYTE);
});

test('another thread sees the same bytes', async () => {
  const { bytes, release } = mapFileMemory(openFileOf(4097), 4097);
  const code = 'const w = require("worker_threads"); w.parentPort.postMessage([...w.workerData.subarray(0, 3)])';
  const thread = new Worker(code, { eval: true, workerData: bytes });
  const seen = await new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
  await thread.terminate();
  release();
  expect(seen).toEqual([1, 2, 3]);
});

test('the memory of released files can be written to again', () => {
  const fd = openFileOf(MEBIBYTE);
  for (let round = 0; round < 6; round++) {
    const files = Array.from({ length: 8 }, () => mapFileMemory(fd, MEBIBYTE));
    for (const { bytes, release } of files) {
      release();
      release();
      bytes.fill(round);
    }
    const filled = Buffer.alloc(MEBIBYTE, round);
    expect(files.every(({ bytes }) => filled.equals(bytes))).toBe(true);
  }
});

test('a file that cannot be mapped is an error with the system’s code', () => {
  expect(() => mapFileMemory(-1, 4096)).toThrow('EBADF: bad file descriptor, mmap');
  expect(() => mapFileMemory(openFileOf(4), 2 ** 52)).toThrow(RangeError);
});

test.runIf(process.platform === 'linux')('memory is whole again after a file that the system does not map', () => {
  // The kernel takes the memory away before it asks this file.
  const output = run(`${SCRIPT_START}
    const fd = openSync('/sys/kernel/notes', 'r');
    mapFileMemory(openSync(process.execPath, 'r'), 16 * ${MEBIBYTE}).release();
    const codes = new Set();
    for (let turn = 0; turn < 50; turn++) {
      for (let file = 0; file < 4; file++) {
        try { mapFileMemory(fd, ${MEBIBYTE}); } catch ({ code }) { codes.add(code); }
      }
      gc();
      for (let block = 0; block < 8; block++) Buffer.alloc(${MEBIBYTE}, 1);
    }
    console.log(...codes);`);
  expect(output).toBe('ENODEV\n');
});

test('threads can read a file until the process has exited, and so can what runs at the exit', () => {
  const output = run(`${SCRIPT_START}
    const { bytes } = mapFileMemory(openSync(process.execPath, 'r'), ${MEBIBYTE});
    process.on('exit', () => console.log(Buffer.from(bytes.subarray(0, 8)).toString('hex')));`);
  expect(output).toBe(`${readFileSync(process.execPath).toString('hex', 0, 8)}\n`);
});

test('a process whose files are still mapped frees and allocates memory, and exits normally', () => {
  const output = run(`${SCRIPT_START}
    const fd = openSync(process.execPath, 'r');
    // The first release of a large block makes the C library keep blocks of that size.
    mapFileMemory(fd, 16 * ${MEBIBYTE}).release();
    for (let turn = 0; turn < 50; turn++) {
      for (let file = 0; file < 4; file++) mapFileMemory(fd, ${MEBIBYTE});
      gc();
      for (let block = 0; block < 8; block++) Buffer.alloc(${MEBIBYTE}, 1);
    }
    console.log('done');`);
  expect(output).toBe('done\n');
});
