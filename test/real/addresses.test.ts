import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DamageRow } from '../../bench/geocode/accuracy.js';
import { DAMAGES } from '../../bench/geocode/damage.js';
import { accuracyOf } from '../../bench/geocode/geocode.js';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';
import { createEmbeddedGeocoder } from '../../src/geocode/embedded.js';
import { isMatch } from '../../src/geocode/geocoder.js';
import { accountOf, type LoadOutcome, load } from '../support/loading.js';
import { realDataDir } from '../support/real-data.js';

const dataDir = realDataDir('real address ranges');
const raw = (...path: string[]): string => join(dataDir ?? '', 'raw', ...path);

/** Of all addresses. */
const WRONG_TRACT_MAX = 0.002;
/** Of each kind of damage, of some 7,400: `npm run bench -- geocode` asks for all. */
const ASKED_MOST = 1500;

let root = '';
let rows: readonly DamageRow[];
let outcome: LoadOutcome;
let dataset: Dataset;

beforeAll(async () => {
  if (dataDir === undefined) return;
  root = mkdtempSync(join(tmpdir(), 'tract-context-'));
  rows = (await accuracyOf(raw('addrfeat'), join(root, 'ranges'), () => {}, ASKED_MOST)) ?? [];
  symlinkSync(raw('tiger', 'tl_2020_30_tract20.zip'), join(root, 'tl_2020_30_tract20.zip'));
  symlinkSync(
    raw('tiger', 'cb_2020_37_tract_500k_MSA_PARTIAL.zip'),
    join(root, 'cb_2020_37_tract_500k_MSA_PARTIAL.zip'),
  );
  outcome = await load({
    inputDirs: [root, raw('addrfeat'), raw('gazetteer')],
    outputDir: join(root, 'out'),
    filter: { states: new Set(['30', '37']), territories: false },
  });
  if (!outcome.published) throw outcome.error;
  dataset = openDataset(generationPath(join(root, 'out'), outcome.published.generation));
}, 240_000);

afterAll(() => {
  dataset?.release();
  if (root) rmSync(root, { recursive: true, force: true });
});

describe.skipIf(dataDir === undefined)('addresses of ranges all over two real counties, both sides', () => {
  test.each(DAMAGES)('$name: found again as often as they must be', ({ name, leastRight }) => {
    const row = rows.find(({ damage }) => damage.name === name);
    if (!row) return expect.fail('no such row');
    // Few streets of these counties have a direction of two letters.
    expect(row.asked).toBeGreaterThan(300);
    expect((row.right + row.tied) / row.asked, row.examples.join('\n')).toBeGreaterThanOrEqual(leastRight);
    expect(row.wrongTract / row.asked, row.examples.join('\n')).toBeLessThanOrEqual(WRONG_TRACT_MAX);
  });
});

describe.skipIf(dataDir === undefined)('two real counties, compiled', () => {
  test('have all rows accounted for', () => {
    expect(accountOf(outcome, 'TIGER/Line ADDRFEAT 2021')).toMatchObject({ read: 677, kept: 677, rejected: {} });
    expect(accountOf(outcome, 'TIGER/Line EDGES 2020')).toMatchObject({
      read: 3260,
      rejected: {},
      leftOut: { 'no house numbers': 1597 },
    });
  });

  test('have streets on the map in the county’s tract, where its outline is loaded', async () => {
    const found = await createEmbeddedGeocoder(() => dataset).geocode(
      '401 1st ave ne, white sulphur springs, mt 59645',
    );
    if (!isMatch(found)) return expect.fail(found.noMatch);
    expect(found.matchedAddress).toBe('401 1st Ave NE, MT 59645');
    expect(String(dataset.tracts.geoids[dataset.outlines.locate(found)])).toMatch(/^30059/);
  });

  test('have a position but no tract where no outline is loaded', async () => {
    const found = await createEmbeddedGeocoder(() => dataset).geocode('388 Hickory Cross Rd, Hertford, NC 27919');
    if (!isMatch(found)) return expect.fail(found.noMatch);
    expect(dataset.outlines.locate(found)).toBe(-1);
  });
});
