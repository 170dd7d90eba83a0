import type { FileLock } from '../platform/file-lock.js';
import { asCatalogError, CatalogError } from './directory/catalog-error.js';
import { holdGeneration } from './directory/generation-hold.js';
import { generationPath, whenMade } from './directory/generations.js';

/** An open generation, held so that other processes know it is in use. */
export interface Opened<T> {
  readonly generation: string;
  readonly value: T;
  readonly hold: FileLock;
  /** Identifies the directory that was opened (see {@link whenMade}): another may take its place under the same name. */
  readonly made: string | undefined;
}

interface Openable<T> {
  readonly datasetsDir: string;
  readonly generation: string;
  open(directory: string): T;
}

/** Holds and opens a generation. Throws {@link CatalogError}. */
export function openGeneration<T>({ datasetsDir, generation, open }: Openable<T>): Opened<T> {
  const held = holdToOpen(datasetsDir, generation);
  try {
    return { ...held, value: open(generationPath(datasetsDir, generation)) };
  } catch (error) {
    throw letGo(held, error);
  }
}

/** Like {@link openGeneration}, without blocking the thread. Rejects with {@link CatalogError}. */
export async function openGenerationBeside<T>({
  datasetsDir,
  generation,
  open,
}: Openable<Promise<T>>): Promise<Opened<T>> {
  const held = holdToOpen(datasetsDir, generation);
  try {
    return { ...held, value: await open(generationPath(datasetsDir, generation)) };
  } catch (error) {
    throw letGo(held, error);
  }
}

type Held = Omit<Opened<unknown>, 'value'>;

function holdToOpen(datasetsDir: string, generation: string): Held {
  let hold: FileLock | undefined;
  try {
    hold = holdGeneration(generationPath(datasetsDir, generation));
    if (hold) return { generation, hold, made: whenMade(datasetsDir, generation) };
  } catch (error) {
    hold?.release();
    throw asCatalogError(error);
  }
  throw new CatalogError('unknown-generation', `there is no generation ${generation}, or it is being removed`);
}

/** Releases the hold on a generation that failed to open, and returns the error to throw. */
function letGo({ hold }: Held, error: unknown): unknown {
  hold.release();
  return asCatalogError(error);
}
