import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

const OWN_DESCRIPTORS = '/proc/self/fd';

/** Throws the system's error, such as EMFILE, if this process cannot open this many files at a time now. */
export function requireDescriptors(count: number): void {
  const files: number[] = [];
  try {
    while (files.length < count) files.push(openSync(devNull, 'r'));
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** How many file descriptors this process may have; undefined if the system does not tell, as only Linux does. */
export function maxDescriptors(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}

/** How many of them it has open. On Linux only; throws the system's error where it takes a free one to tell. */
export function openDescriptors(): number {
  const { size } = statSync(OWN_DESCRIPTORS);
  // Before Linux 6.2 this directory had no size. To list it takes a descriptor, which is listed, too.
  return size > 0 ? size : readdirSync(OWN_DESCRIPTORS).length - 1;
}
