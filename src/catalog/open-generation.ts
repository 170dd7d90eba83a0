import { asCatalogError, CatalogError } from './directory/catalog-error.js';
import { type GenerationHold, holdGeneration } from './directory/generation-hold.js';
import { generationPath, whenMade } from './directory/generations.js';

/** An open generation, held so that other processes know it is in use. */
export interface Opened<T> {
  readonly generation: string;
  readonly value: T;
  readonly hold: GenerationHold;
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
  const directory = generationPath(datasetsDir, generation);
  const hold = requireHold(directory, generation);
  try {
    const made = whenMade(datasetsDir, generation);
    return { generation, value: open(directory), hold, made };
  } catch (error) {
    throw letGo(hold, error);
  }
}

/** Like {@link openGeneration}, without blocking the thread. Rejects with {@link CatalogError}. */
export async function openGenerationBeside<T>({
  datasetsDir,
  generation,
  open,
}: Openable<Promise<T>>): Promise<Opened<T>> {
  const directory = generationPath(datasetsDir, generation);
  const hold = requireHold(directory, generation);
  try {
    const made = whenMade(datasetsDir, generation);
    return { generation, value: await open(directory), hold, made };
  } catch (error) {
    throw letGo(hold, error);
  }
}

function requireHold(directory: string, generation: string): GenerationHold {
  let hold: GenerationHold | undefined;
  try {
    hold = holdGeneration(directory);
  } catch (error) {
    throw asCatalogError(error);
  }
  if (hold) return hold;
  throw new CatalogError('unknown-generation', `there is no generation ${generation}, or it is being removed`);
}

/** Releases the hold on a generation that failed to open, and returns the error to throw. */
function letGo(hold: GenerationHold, error: unknown): unknown {
  hold.release();
  return asCatalogError(error);
}
