import { asCatalogError, CatalogError } from './catalog-error.js';
import { type GenerationHold, holdGeneration } from './generation-hold.js';
import { generationPath, whenMade } from './generations.js';

/** An open generation; other processes know that it is open. */
export interface Opened<T> {
  readonly generation: string;
  readonly value: T;
  readonly hold: GenerationHold;
  /** When its directory was made, see {@link whenMade}: under the same name it may be made anew. */
  readonly made: string | undefined;
}

interface Openable<T> {
  readonly datasetsDir: string;
  readonly generation: string;
  open(directory: string): T;
}

/** Throws {@link CatalogError}. */
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

/** The same without waiting in this thread. Rejects with {@link CatalogError}. */
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

/** What to throw of a generation that cannot be opened. */
function letGo(hold: GenerationHold, error: unknown): unknown {
  hold.release();
  return asCatalogError(error);
}
