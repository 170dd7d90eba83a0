import fs, { fstatSync } from 'node:fs';
import { relative } from 'node:path';
import { replaceCalls } from './replaced-calls.js';

/** Makes the call fail until the test ends, where `isFailing` is true of its first argument. */
export function failDisk(
  call: 'accessSync' | 'fsyncSync' | 'readSync' | 'renameSync' | 'writeFileSync',
  isFailing: (subject: unknown) => boolean,
): void {
  const original = fs[call];
  const failing = (...args: unknown[]): unknown => {
    if (isFailing(args[0])) throw Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO', syscall: call });
    return Reflect.apply(original, fs, args);
  };
  replaceCalls({ [call]: failing });
}

/** Whether a call's argument is the number of an open file that is no directory. */
export const isOpenFile = (subject: unknown): boolean => typeof subject === 'number' && fstatSync(subject).isFile();

/** Notes each path that is flushed to the disk, and each that gets another name, relative to the directory. */
export function noteFlushes(root: string): string[] {
  const noted: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync, writeFileSync: write, renameSync: rename } = fs;
  const note = (what: string, path: unknown): void => void noted.push(`${what} ${relative(root, String(path)) || '.'}`);
  replaceCalls({
    openSync: (...args: Parameters<typeof openSync>) => {
      const file = openSync(...args);
      paths.set(file, String(args[0]));
      return file;
    },
    fsyncSync: (file: number) => {
      fsyncSync(file);
      note('flushed', paths.get(file));
    },
    writeFileSync: (...args: Parameters<typeof write>) => {
      write(...args);
      if (typeof args[2] === 'object' && args[2]?.flush) note('flushed', args[0]);
    },
    renameSync: (...args: Parameters<typeof rename>) => {
      rename(...args);
      note('renamed', args[0]);
    },
  });
  return noted;
}

/** Until it is undone, nothing that is written to a file finds space, once so many bytes are written. */
export function fillDisk(
  freeBytes = 0,
  error = { code: 'ENOSPC', message: 'ENOSPC: no space left on device' },
): () => void {
  const original = fs.writeSync;
  let left = freeBytes;
  return replaceCalls({
    writeSync: new Proxy(original, {
      apply: (write, _self, args: Parameters<typeof original>) => {
        if (left <= 0) throw Object.assign(new Error(error.message), error);
        const written = write(...args);
        left -= written;
        return written;
      },
    }),
  });
}
