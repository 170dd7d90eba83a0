import { generationPath, listGenerations, readCurrent, setCurrent } from '../../src/catalog/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';

/** The two generations that a reload switches between: a datasets directory's current one and another one in it. */
export interface TwoGenerations {
  readonly current: string;
  readonly other: string;
  /** Both generations opened, the current one first. */
  readonly datasets: readonly [Dataset, Dataset];
  /** Makes a generation current. */
  publish(generation: string): void;
  /** Makes the originally current generation current again, and closes both. */
  restore(): void;
}

/** Opens both generations; gives the reason to skip the suite if the directory does not have two. */
export function openTwoGenerations(datasetsDir: string): TwoGenerations | { readonly skipped: string } {
  const current = readCurrent(datasetsDir);
  const other = listGenerations(datasetsDir).find((generation) => generation !== current);
  if (current === undefined || other === undefined) {
    return { skipped: `one generation in ${datasetsDir}: make another there, as by demo with a --seed of its own` };
  }
  const datasets = [openOne(datasetsDir, current), openOne(datasetsDir, other)] as const;
  return {
    current,
    other,
    datasets,
    publish: (generation) => setCurrent(datasetsDir, generation),
    restore() {
      setCurrent(datasetsDir, current);
      for (const dataset of datasets) dataset.release();
    },
  };
}

function openOne(datasetsDir: string, generation: string): Dataset {
  return openDataset(generationPath(datasetsDir, generation));
}
