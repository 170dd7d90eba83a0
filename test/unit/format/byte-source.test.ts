import { execFileSync } from 'node:child_process';
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mapFile } from '../../../src/format/byte-source.js';
import { openFileSource } from '../../../src/format/file-source.js';
import { packageFile } from '../../../src/platform/package-root.js';
import { mappedBytes } from '../../support/process-memory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const OFFSET = 4096;
const WORDS = Uint8Array.of(1, 2, 3, 4);

function fileOf(sizeBytes: number): string {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, '');
  truncateSync(path, sizeBytes);
  const fd = openSync(path, 'r+');
  writeSync(fd, WORDS, 0, WORDS.length, sizeBytes - OFFSET);
  closeSync(fd);
  return path;
}

test.each([
  ['a file', 3 * OFFSET],
  ['a file that is too large for one buffer, most of it holes', 2 ** 32 + OFFSET],
])('%s is seen where it is, mapped or read', (_, sizeBytes) => {
  const path = fileOf(sizeBytes);
  for (const source of [mapFile(path), openFileSource(path)]) {
    expect(Uint8Array.from(source.view(sizeBytes - OFFSET, WORDS.length))).toEqual(WORDS);
    expect(new Uint8Array(source.buffer(sizeBytes - OFFSET, WORDS.length))).toEqual(WORDS);
    expect([source.view(0, 0).length, source.buffer(0, 0).byteLength]).toEqual([0, 0]);
    source.release();
  }
});

test.runIf(process.platform === 'linux').each([
  ['a file', 40 * 2 ** 20],
  ['a file that is too large for one buffer', 2 ** 31 + OFFSET],
])('%s that is evicted takes no memory, until it is read again', (_, sizeBytes) => {
  const { view, evict, release } = mapFile(fileOf(sizeBytes));
  const read = (): Uint8Array => Uint8Array.from(view(sizeBytes - OFFSET, WORDS.length));
  const resident = (): number => mappedBytes(process.pid);
  expect(read()).toEqual(WORDS);
  let sum = 0;
  for (let at = 0; at < 40 * 2 ** 20; at += OFFSET) sum += view(at, 1)[0] ?? 0;
  expect(sum).toBeLessThan(2);
  const before = resident();
  let steps = 0;
  for (const _step of evict()) steps++;
  expect(steps).toBe(Math.ceil(sizeBytes / 2 ** 25));
  expect(before - resident()).toBeGreaterThan(30 * 2 ** 20);
  expect(read()).toEqual(WORDS);
  release();
});

test.runIf(process.platform === 'linux')(
  'a file is mapped even if a limit leaves no room for a buffer of its size',
  () => {
    const module = packageFile('dist', 'src', 'format', 'byte-source.js');
    const script = `
    import { mapFile } from ${JSON.stringify(module)};
    const { sizeBytes, view } = mapFile(${JSON.stringify(fileOf(600_000_000))});
    console.log([...view(sizeBytes - ${OFFSET}, 4)].join());`;
    const shell = ['-c', 'ulimit -d 500000 && exec "$0" --input-type=module -e "$1"', process.execPath, script];
    expect(execFileSync('sh', shell, { encoding: 'utf8' })).toBe('1,2,3,4\n');
  },
);

test.each([
  ['mapped', mapFile],
  ['read', openFileSource],
])('the pieces of a range are its bytes in order, %s', (_, open) => {
  const content = Buffer.from(Array.from({ length: 3_000_000 }, (_value, at) => at % 251));
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, content);
  const source = open(path);
  for (const [from, length] of [
    [0, 3_000_000],
    [1, 2_999_999],
    [999_999, 2],
    [0, 2 ** 20],
    [0, 2 ** 21],
  ] as const) {
    const seen: Buffer[] = [];
    for (const piece of source.pieces(from, length)) seen.push(Buffer.from(piece));
    expect(Buffer.concat(seen).equals(content.subarray(from, from + length))).toBe(true);
  }
  expect([...source.pieces(7, 0)]).toEqual([]);
  source.release();
});

test.each([
  ['mapped', mapFile],
  ['read', openFileSource],
])('a pipe in the place of a file is refused without waiting for what comes out of it, %s', (_, open) => {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  expect(() => open(path)).toThrow(expect.objectContaining({ code: 'cannot-open' }));
});

test('all views of a mapped file share one buffer, and a requested buffer holds nothing else', () => {
  const file = mapFile(fileOf(3 * OFFSET));
  const [one, other] = [file.view(0, 8), file.view(OFFSET, 8)];
  expect(one.buffer).toBe(other.buffer);
  expect(file.buffer(OFFSET, 8).byteLength).toBe(8);
  file.release();
});
