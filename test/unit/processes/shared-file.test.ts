import fs, { closeSync, existsSync, fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { createSharedFile, extendSharedFile } from '../../../src/processes/memory/shared-file.js';
import { replaceCalls } from '../../support/replaced-calls.js';

const MB = 1 << 20;
const placeOf = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`);

/** From now on, files whose path begins so take that many more bytes. */
function fill(prefix: string, leftBytes: number): void {
  const original = fs.writeSync;
  let left = leftBytes;
  replaceCalls({
    writeSync: new Proxy(original, {
      apply: (write, _self, args: Parameters<typeof original>) => {
        if (!placeOf(args[0]).startsWith(prefix)) return write(...args);
        if (left <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        const written = write(...args);
        left -= written;
        return written;
      },
    }),
  });
}

function make(sizeBytes: number): number {
  const fd = createSharedFile(sizeBytes);
  onTestFinished(() => closeSync(fd));
  return fd;
}

// Elsewhere there is neither such memory nor a way to tell where a file is.
const onLinux = test.runIf(existsSync('/dev/shm') && existsSync('/proc/self/fd'));

onLinux('memory that takes the file, but not its contents, leaves it to the disk, and no descriptor open', () => {
  expect(placeOf(make(1))).toMatch('/dev/shm/');
  fill('/dev/shm', MB);
  const before = readdirSync('/proc/self/fd').length;
  const fd = make(3 * MB);
  expect(placeOf(fd)).toContain(tmpdir());
  expect(fstatSync(fd).size).toBe(3 * MB);
  expect(readdirSync('/proc/self/fd')).toHaveLength(before + 1);
});

onLinux('where nothing has room for it, the error says where it was tried, and why', () => {
  fill('/', 0);
  const message = new RegExp(`cannot create a file of \\d+ bytes in /dev/shm or ${tmpdir()} \\(ENOSPC.*; ENOSPC`);
  expect(() => createSharedFile(3)).toThrow(message);
});

/** From now on, file systems tell that they have so many bytes free. */
function tellFree(freeBytes: number, blocks = 100): void {
  const told = Object.assign(fs.statfsSync('/'), { blocks, bsize: 1, bavail: freeBytes });
  replaceCalls({ statfsSync: new Proxy(fs.statfsSync, { apply: () => told }) });
}

onLinux('what has no room to be extended is as long as before, and takes no space from others', () => {
  const fd = make(MB);
  tellFree(6 * MB);
  expect(() => extendSharedFile(fd, MB, 8 * MB)).toThrow(
    `ENOSPC: ${7 * MB} bytes are required, but only ${6 * MB} are free`,
  );
  expect(fstatSync(fd).size).toBe(MB);
  tellFree(7 * MB);
  extendSharedFile(fd, MB, 8 * MB);
  expect(fstatSync(fd).size).toBe(8 * MB);
  // As where another process has extended it already.
  tellFree(0);
  extendSharedFile(fd, MB, 8 * MB);
});

onLinux('a file system that tells of no limit has room', () => {
  const fd = make(MB);
  tellFree(0, 0);
  extendSharedFile(fd, MB, 2 * MB);
  expect(fstatSync(fd).size).toBe(2 * MB);
});

onLinux('a file is never cut: another process may use what it has added to it meanwhile', () => {
  const fd = make(MB);
  fill('/', MB);
  expect(() => extendSharedFile(fd, MB, 8 * MB)).toThrow('ENOSPC');
  expect(fstatSync(fd).size).toBe(2 * MB);
});
