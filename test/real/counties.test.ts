import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STATES } from '../../src/core/states.js';
import { countiesOf } from '../../src/load/fetch/counties.js';
import { readTractCounts } from '../../src/load/tract-counts.js';
import { realDataDir } from '../support/real-data.js';

const dataDir = realDataDir('counties of the real gazetteer');

test.skipIf(dataDir === undefined)(
  'the national gazetteer names every county, Connecticut’s planning regions among them',
  async () => {
    const states = STATES.filter(({ territory }) => !territory).map(({ fips }) => fips);
    const path = join(dataDir ?? '', 'raw', 'gazetteer', '2023_Gaz_tracts_national.zip');
    expect(await countiesOf(path, states)).toEqual([...readTractCounts().keys()].sort());
    expect((await countiesOf(path, ['09'])).at(0)).toBe('09110');
  },
);
