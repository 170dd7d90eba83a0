import fs, { closeSync, existsSync, fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { createSharedFile, extendSharedFile } from '../../../src/processes/memory/shared-file.js';

const MB = 1 << 20;
const placeOf = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`);

/** From now on, files whose path begins so take that many more bytes. */
function fill(prefix: string, leftBytes: number): void {
  const original = fs.writeSync;
  let left = leftBytes;
  fs.writeSync = new Proxy(original, {
    apply: (write, _self, args: Parameters<typeof original>) => {
      if (!placeOf(args[0]).startsWith(prefix)) return write(...args);
      if (left <= 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const written = write(...args);
      left -= written;
      return written;
    },
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.writeSync = original;
    syncBuiltinESMExports();
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
  const message = new RegExp(`3 bytes can be made in /dev/shm or ${tmpdir()} \\(ENOSPC.*; ENOSPC`);
  expect(() => createSharedFile(3)).toThrow(message);
});

onLinux('what cannot be extended is as long as before', () => {
  const fd = make(MB);
  fill('/', MB);
  expect(() => extendSharedFile(fd, MB, 8 * MB)).toThrow('ENOSPC');
  expect(fstatSync(fd).size).toBe(MB);
});

onLinux('what another process may have extended meanwhile is never cut', () => {
  const fd = make(MB);
  fill('/', MB);
  expect(() => extendSharedFile(fd, MB, 8 * MB, () => false)).toThrow('ENOSPC');
  expect(fstatSync(fd).size).toBe(2 * MB);
});
