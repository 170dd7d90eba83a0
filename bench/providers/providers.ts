import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generationPath, readCurrent } from '../../src/catalog/directory/generations.js';
import { openDataset } from '../../src/format/dataset.js';
import type { SuiteContext, SuiteOutcome } from '../lib/suite.js';
import { measureRegistry } from './load-registry.js';
import { publishManyProviders } from './many-providers.js';
import { measureMap } from './map-features.js';
import { measureRadius } from './radius.js';

/** `providers`: loading a registry, and searching providers, at the real registry's size. */
export async function runProviders(context: SuiteContext): Promise<SuiteOutcome> {
  const { tempDir, providerCount, note } = context;
  const registry = await measureRegistry(context);
  const datasetsDir = join(tempDir, 'many-providers');
  note(`publishing ${providerCount} providers`);
  await publishManyProviders(datasetsDir, providerCount);
  const generation = readCurrent(datasetsDir) ?? '';
  const dataset = openDataset(generationPath(datasetsDir, generation));
  try {
    const { providers } = dataset;
    if (!providers) throw new Error('no providers were published');
    note('searching around points');
    const radius = await measureRadius(providers);
    note('searching in boxes over HTTP');
    const map = await measureMap(providers, { ...context, datasetsDir });
    return {
      datasets: { [`${providerCount / 1e6} million providers`]: generation },
      checks: [...registry.checks, ...radius.checks, ...map.checks],
      figures: [...registry.figures, ...radius.figures, ...map.figures],
    };
  } finally {
    dataset.release();
    rmSync(datasetsDir, { recursive: true });
  }
}
