import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  GENERATIONS_DIR,
  generationPath,
  listGenerations,
  readCurrent,
  setCurrent,
} from '../../src/catalog/directory/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';
import { noDataset } from './live-dataset.js';
import type { SuiteContext } from './suite.js';

/** The two generations that a reload switches between: a datasets directory's current one and another one in it. */
export interface TwoGenerations {
  /**
   * A directory of the bench's own with links to both. The given one is left alone: a service may run on it, and a bench
   * that is interrupted could not put it right again.
   */
  readonly datasetsDir: string;
  readonly current: string;
  readonly other: string;
  /** Both generations opened, the current one first. */
  readonly datasets: readonly [Dataset, Dataset];
  /** Makes a generation current, in the bench's own directory. */
  publish(generation: string): void;
  /** Closes both. */
  release(): void;
}

/** Opens both generations; gives the reason to skip the suite if the directory does not have two. */
export function openTwoGenerations({
  datasetsDir: given,
  tempDir,
}: Pick<SuiteContext, 'datasetsDir' | 'tempDir'>): TwoGenerations | { readonly skipped: string } {
  const current = readCurrent(given);
  if (current === undefined) return noDataset(given);
  const other = listGenerations(given).find((generation) => generation !== current);
  if (other === undefined) {
    return { skipped: `only one generation in ${given}: make another one there, for example with demo --seed 2` };
  }
  const datasetsDir = mkdtempSync(join(tempDir, 'two-generations-'));
  mkdirSync(join(datasetsDir, GENERATIONS_DIR));
  for (const each of [current, other]) {
    symlinkSync(resolve(generationPath(given, each)), generationPath(datasetsDir, each), 'dir');
  }
  setCurrent(datasetsDir, current);
  const datasets = [openOne(datasetsDir, current), openOne(datasetsDir, other)] as const;
  return {
    datasetsDir,
    current,
    other,
    datasets,
    publish: (generation) => setCurrent(datasetsDir, generation),
    release() {
      for (const dataset of datasets) dataset.release();
    },
  };
}

function openOne(datasetsDir: string, generation: string): Dataset {
  return openDataset(generationPath(datasetsDir, generation));
}
