import { z } from 'zod';
import { StateError } from './state-error.js';
import { defineCollection, type StateView, type Transaction } from './store.js';

/** Rewrites the records of one schema version for the next. */
export type Migration = (transaction: Transaction) => void;

/** The first migrates version 1 to version 2, and so on. A released migration is never changed. */
export const MIGRATIONS: readonly Migration[] = [];

/** Holds the version alone. */
export const VERSION_COLLECTION = 'about';
const about = defineCollection(VERSION_COLLECTION, { key: z.tuple([z.literal('version')]), value: z.int().positive() });

/** The version that this program reads and writes. */
function versionAfter(migrations: readonly Migration[]): number {
  return migrations.length + 1;
}

/** Migrates a directory to this program's version, in one transaction. A new directory starts with it. */
export function migrate(transaction: Transaction, directory: string, migrations: readonly Migration[]): void {
  const version = versionAfter(migrations);
  const stored = transaction.get(about, ['version']);
  if (stored === version) return;
  refuseNewer(stored, version, directory);
  if (stored !== undefined) for (const step of migrations.slice(stored - 1)) step(transaction);
  transaction.put(about, ['version'], version);
}

/** Throws StateError where a newer program has migrated the directory, perhaps while this one was running. */
export function checkVersion(view: StateView, directory: string, migrations: readonly Migration[]): void {
  refuseNewer(view.get(about, ['version']), versionAfter(migrations), directory);
}

function refuseNewer(stored: number | undefined, version: number, directory: string): void {
  if (stored === undefined || stored <= version) return;
  throw new StateError(
    'newer-version',
    directory,
    `has version ${stored}, written by a newer program; this one reads versions up to ${version}`,
  );
}
