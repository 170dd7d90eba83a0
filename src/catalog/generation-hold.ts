import { closeSync, openSync } from 'node:fs';
import { libc } from '../platform/libc.js';

/**
 * Says to all processes that this one has a generation open, until the hold is released or the process ends: a shared
 * flock(2) on the generation's directory. Undefined where the generation is gone or being removed.
 */
export function holdGeneration(directory: string): GenerationHold | undefined {
  return lock(directory, 'shared');
}

/** The generation for oneself alone; undefined where some process has it open. */
export function holdAlone(directory: string): GenerationHold | undefined {
  return lock(directory, 'exclusive');
}

export interface GenerationHold {
  release(): void;
}

function lock(directory: string, kind: 'shared' | 'exclusive'): GenerationHold | undefined {
  let fd: number;
  try {
    fd = openSync(directory, 'r');
  } catch {
    return undefined;
  }
  let isTaken = false;
  try {
    isTaken = libc().tryLock(fd, kind);
  } finally {
    if (!isTaken) closeSync(fd);
  }
  return isTaken ? { release: () => closeSync(fd) } : undefined;
}
