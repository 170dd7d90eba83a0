import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Throws the system's error, such as EMFILE, if this process cannot open this many files at a time now. */
export function requireDescriptors(count: number): void {
  const files: number[] = [];
  try {
    while (files.length < count) files.push(openSync(devNull, 'r'));
  } finally {
    for (const file of files) closeSync(file);
  }
}
