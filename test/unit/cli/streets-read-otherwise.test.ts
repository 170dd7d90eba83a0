import { expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { formatInspection } from '../../../src/cli/inspect/format-inspection.js';
import { inspectDataset } from '../../../src/cli/inspect/inspection.js';
import { streetsReadOtherwise } from '../../../src/cli/inspect/streets-read-otherwise.js';
import type { AddressShard } from '../../../src/format/addresses/shard.js';
import { inTexas } from '../../support/made-up-streets.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const STREETS = ['Avenue M', 'Avenue N', 'N Main St', 'Oak Ln', 'State Hwy E'];

function shardOf(streets: readonly string[]): AddressShard {
  const [shard] = inTexas(streets).shards;
  if (!shard) throw new Error('no shard');
  return shard;
}

/** The shard as a version compiled it that read some keys otherwise. */
const compiledAs = (shard: AddressShard, others: Readonly<Record<string, string>>): AddressShard => ({
  ...shard,
  nameKey: (name) => others[shard.nameKey(name)] ?? shard.nameKey(name),
});

it('knows all streets that this version compiled', () => {
  expect(streetsReadOtherwise(shardOf(STREETS))).toEqual([]);
});

it('names streets whose name, direction or kind was read otherwise', () => {
  const shard = shardOf(STREETS);
  expect(streetsReadOtherwise(compiledAs(shard, { AVENUENORTH: 'AVENUE', STATEHIGHWAYE: 'STATEHIGHWAY' }))).toEqual([
    'Avenue N',
    'State Hwy E',
  ]);
  const undirected = shard.streetDirections.map(() => 0);
  expect(streetsReadOtherwise({ ...shard, streetDirections: undirected })).toEqual(['N Main St']);
  expect(streetsReadOtherwise({ ...shard, streetType: () => '' })).toEqual(['N Main St', 'Oak Ln']);
});

it('is told by inspect, where there are any', () => {
  const directory = temporaryDirectory();
  const inspection = inspectDataset(
    generationPath(directory, publishTinyDataset(directory)),
    { current: undefined, all: [] },
    0,
  );
  const counts = { ranges: 9, streets: 9, zips: 1, cities: 1, outsideOutlines: 0 };
  const told = (suchAs: readonly string[]): string => {
    const state = { ...counts, stateFips: '48', readOtherwise: suchAs.length, readOtherwiseSuchAs: suchAs };
    const none = { ...counts, stateFips: '56', readOtherwise: 0, readOtherwiseSuchAs: [] };
    return formatInspection({ ...inspection, addresses: [state, none] }).join('\n');
  };
  expect(told(['Avenue N', 'State Hwy E'])).toContain(
    'reads the names of 2 streets otherwise than the one that compiled them (Avenue N, State Hwy E)',
  );
  expect(told([])).not.toContain('otherwise');
});
