import { CatalogError } from './dataset-admin.js';
import { absentCurrent, listGenerations, readPublished } from './generations.js';

/** What `CURRENT` names. */
export interface Published {
  /** Undefined where there is no such file, or it names nothing. */
  readonly generation?: string | undefined;
  /** What is wrong with it. */
  readonly problem?: string;
}

/** The name in `CURRENT`, nothing where there is no such file, and what is wrong with it. */
export function findPublished(datasetsDir: string): Published {
  try {
    const generation = readPublished(datasetsDir);
    if (generation === undefined || listGenerations(datasetsDir).includes(generation)) return { generation };
    return { generation, problem: reasonOf(absentCurrent(generation)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Why a generation cannot be opened, for the log. */
export function reasonOf(error: unknown): string {
  if (error instanceof CatalogError) return `${error.damage?.code ?? error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether it is of no use to open the same files again: they are not as they were written, or of another format. One that cannot
 * be opened at all may only lack a file descriptor, or memory, for a moment.
 */
export function isLasting(error: unknown): boolean {
  return error instanceof CatalogError && error.damage !== undefined && error.damage.code !== 'cannot-open';
}

/** What has been told of failures: each generation's reasons are told once. */
export function createToldOnce(
  tell: (generation: string | undefined, reason: string) => void,
): (generation: string | undefined, reason: string) => void {
  let of: string | undefined;
  const reasons = new Set<string>();
  return (generation, reason) => {
    if (generation !== of) reasons.clear();
    of = generation;
    if (reasons.has(reason)) return;
    reasons.add(reason);
    tell(generation, reason);
  };
}
