import fs from 'node:fs';
import { onTestFinished } from 'vitest';

/** Until the test is finished, the disk fails to read what archives are read with. */
export function failReads(): void {
  const original = fs.read;
  const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5, syscall: 'read' });
  const failing = (...args: unknown[]): void => {
    const done = args.at(-1);
    if (typeof done === 'function') setImmediate(() => done(error, 0));
  };
  Object.assign(fs, { read: failing });
  onTestFinished(() => {
    Object.assign(fs, { read: original });
  });
}
