import { join } from 'node:path';
import { readNames, removeName, writeNames } from './name-list.js';

/** The path of the file that lists the generations which a rollback went back from, oldest first. */
export function withdrawnPath(datasetsDir: string): string {
  return join(datasetsDir, 'WITHDRAWN');
}

/**
 * Whether a rollback went back from this generation, and nobody has asked for it again. Since a generation is named by its
 * content, this also holds for one that is compiled anew.
 */
export function isWithdrawn(datasetsDir: string, generation: string): boolean {
  return readNames(withdrawnPath(datasetsDir)).includes(generation);
}

/**
 * Records that a rollback goes back from a generation, if from any, to another, which is no longer withdrawn then. The caller
 * holds the publish lock, and calls this before `CURRENT` names the other: a rollback that cannot record this must change
 * nothing, since the next one would take the generation that it went to for one that waits, and withdraw that.
 */
export function noteRollback(datasetsDir: string, from: string | undefined, to: string): void {
  const names = readNames(withdrawnPath(datasetsDir));
  const others = names.filter((name) => name !== from && name !== to);
  const withdrawn = from === undefined ? others : [...others, from];
  if (withdrawn.join() !== names.join()) writeNames(withdrawnPath(datasetsDir), withdrawn);
}

/** Forgets that a rollback went back from a generation, since it is published again. The caller holds the publish lock. */
export function forgetWithdrawn(datasetsDir: string, generation: string): void {
  removeName(withdrawnPath(datasetsDir), generation);
}
