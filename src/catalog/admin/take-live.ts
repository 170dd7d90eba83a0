import { CatalogError, damageError } from '../directory/catalog-error.js';
import { generationPath, listGenerations, requireGeneration } from '../directory/generations.js';
import { noteServed } from '../directory/history.js';
import type { GenerationChecks } from './check-threads.js';
import type { ChangeCounts, ReloadResult } from './dataset-admin.js';
import type { Check } from './generation-checks.js';
import type { ServedDatasets } from './served-datasets.js';

/** A change of the live generation. */
export interface Reload {
  readonly from: string | undefined;
  readonly to: string;
  /** Undefined if nothing was live before, or if `from` can no longer be read. */
  readonly changes: ChangeCounts | undefined;
}

export interface TakeLiveOptions {
  readonly datasetsDir: string;
  /** The generation that the service answers from, in all of its processes. */
  readonly served: ServedDatasets;
  readonly checks: GenerationChecks;
  /** Called after each reload that changed the live generation. */
  readonly reloaded: (reload: Reload) => Promise<void>;
}

/** Takes generations live. Its errors say what the service continues to answer from. */
export interface TakeLive {
  /**
   * Verifies a generation, compares it with the live one, and takes it live unless this is a `dryRun`. Calls `publish` once
   * the generation is prepared and nothing can refuse it any more, before it goes live. Throws {@link CatalogError}.
   */
  takeLive(
    to: string,
    options: { readonly dryRun: boolean; readonly publish?: () => void },
  ): Promise<Omit<ReloadResult, 'durationMs'>>;
  /** Verifies the live generation's files, which may have been rewritten. Throws {@link CatalogError}. */
  verifyLive(generation: string): Promise<void>;
}

/** `refuseWhenStopped` throws once the service stops. */
export function createTakeLive(options: TakeLiveOptions, refuseWhenStopped: () => void): TakeLive {
  const { datasetsDir, served, checks, reloaded } = options;

  return {
    takeLive: async (to, { dryRun, publish = () => {} }) => {
      const from = (await served.live())?.generation;
      // It was noted when it went live, unless the directory could not be written to then.
      if (from !== undefined && !dryRun) noteServed(datasetsDir, from);
      const changed = from !== to;
      const changes = changed ? await examine(from, to, { open: dryRun }).catch(refusing({ from, to })) : undefined;
      const renewed = !dryRun && (await replace({ from, to, changes }, publish));
      return { changed, renewed, dryRun, from: from ?? null, to, changes: changes ?? null };
    },
    verifyLive: (generation) => requireIntact(generation).catch(refusing({ from: generation, to: generation })),
  };

  /** Returns whether the generation was live before and its files have been opened anew. */
  async function replace({ from, to, changes }: Reload, publish: () => void): Promise<boolean> {
    const prepared = await served.prepare(to).catch(refusing({ from, to }));
    try {
      refuseWhenStopped();
      publish();
    } catch (error) {
      await prepared.discard();
      throw error;
    }
    const changed = from !== to;
    try {
      await prepared.commit();
    } catch (error) {
      // Even if some processes did not take it: subscribers hear of the generation that the service reports as live.
      if (changed && (await served.live())?.generation === to) await reloaded({ from, to, changes });
      throw error;
    }
    if (changed) await reloaded({ from, to, changes });
    return !changed && !prepared.isLive;
  }

  /** Verifies generation `to` and counts its differences from `from`. Throws {@link CatalogError}. */
  async function examine(
    from: string | undefined,
    to: string,
    { open }: Pick<Check, 'open'>,
  ): Promise<ChangeCounts | undefined> {
    requireGeneration(datasetsDir, to);
    // Someone may have removed the live generation's directory by hand; that must not block the reload.
    if (from !== undefined && listGenerations(datasetsDir).includes(from)) {
      return checks.compare(generationPath(datasetsDir, from), generationPath(datasetsDir, to), { open });
    }
    await requireIntact(to);
    return undefined;
  }

  async function requireIntact(generation: string): Promise<void> {
    const damage = await checks.verify(generationPath(datasetsDir, generation));
    if (damage.length > 0) throw damageError(damage);
  }
}

/** Rethrows an error; if files are to blame, with their generation and what the service continues to answer from. */
function refusing(reload: Pick<Reload, 'from' | 'to'>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CatalogError) || !error.damage) throw error;
    throw new CatalogError(error.code, `${whatStays(reload)}: ${error.message}`, error.damage);
  };
}

function whatStays({ from, to }: Pick<Reload, 'from' | 'to'>): string {
  if (from === to) return `the files of ${to} were not reopened; it stays live as it was opened before`;
  return `${to} was not made live; ${from === undefined ? 'nothing is live' : `${from} stays live`}`;
}
