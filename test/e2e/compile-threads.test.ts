import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath, listGenerations, readCurrent } from '../../src/catalog/directory/generations.js';
import { openDataset } from '../../src/format/dataset.js';
import type { CompileReport } from '../../src/load/report/report.js';
import { runCliHere } from '../support/cli.js';
import { custom } from '../support/compiled-outlines.js';
import { type LoadOutcome, load } from '../support/loading.js';
import {
  gazetteerText,
  type InputTree,
  squareRing,
  sviText,
  TIGER_COLUMNS,
  tigerRow,
  tractShapefile,
  writeTree,
} from '../support/official-files.js';
import { dbfFile, type LngLat } from '../support/shapefile-writer.js';
import { DELAWARE, smallInput } from '../support/small-input.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { zipArchive } from '../support/zip-writer.js';

/** Compiles the files twice: in this thread, and by the command, which has threads for the outlines. */
async function compileBoth(tree: InputTree) {
  const root = temporaryDirectory();
  const input = writeTree(join(root, 'in'), tree);
  const [here, there, report] = ['here', 'there', 'report.json'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const one: LoadOutcome = await load({ inputDirs: [input], outputDir: here, filter: { territories: false } });
  const command = await runCliHere('compile', '--input', input, '--output', there, '--report', report);
  return { one, command, here, there, report };
}

const GAZETTEER = { '2023_Gaz_tracts_national.txt': gazetteerText(DELAWARE) };

/** A square with so many vertices that two of them fill a message between threads. */
function denseSquare({ west, south }: { readonly west: number; readonly south: number }): LngLat[] {
  const steps = 20_000;
  const corners = [
    [0, 0],
    [0, 0.05],
    [0.05, 0.05],
    [0.05, 0],
    [0, 0],
  ] as const;
  return corners.slice(1).flatMap((corner, side): LngLat[] => {
    const [x, y] = corners[side] ?? corner;
    return Array.from({ length: steps }, (_, at) => [
      west + x + ((corner[0] - x) * at) / steps,
      south + y + ((corner[1] - y) * at) / steps,
    ]);
  });
}

/** So many that one broken record among them is no reason to end. */
const MANY = Array.from({ length: 200 }, (_, index) => ({
  geoid: `10001${String((index + 1) * 100).padStart(6, '0')}`,
  west: -75.9 + (index % 20) / 10,
  south: 38 + Math.floor(index / 20) / 10,
}));

const MANY_AND_LARGE: InputTree = {
  '2023_Gaz_tracts_national.txt': gazetteerText(MANY),
  ...custom(
    'tl_2020_10_tract',
    MANY.map((tract, index) => (index === 100 ? null : [index < 4 ? denseSquare(tract) : squareRing(tract)])),
    dbfFile(TIGER_COLUMNS, MANY.map(tigerRow)),
  ),
  ...tractShapefile('cb_2022_10_tract_500k', MANY),
};

describe('a compile with threads for its outlines', () => {
  it.each<[string, InputTree]>([
    ['all kinds of files', smallInput()],
    [
      'no gazetteer, so that the outlines say which tracts there are',
      Object.fromEntries(Object.entries(smallInput()).filter(([path]) => !path.startsWith('gazetteer/'))),
    ],
    ['large outlines, one record of them broken, which another product stands in for', MANY_AND_LARGE],
    ['no outline at all', GAZETTEER],
  ])('publishes the same data and report as with one thread: %s', async (_, tree) => {
    const { one, command, here, there, report } = await compileBoth(tree);
    expect([one.error, command.code]).toEqual([undefined, 0]);
    const generation = readCurrent(there);
    expect(generation).toBe(readCurrent(here));
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual(one.published?.report);
    const dataset = openDataset(generationPath(there, generation ?? ''));
    expect(dataset.outlines.outlineCount).toBe(one.published?.report.outlines);
    dataset.release();
  });

  it('reports tables before outlines, although they are read concurrently', async () => {
    const { report } = await compileBoth(smallInput());
    const { products }: CompileReport = JSON.parse(readFileSync(report, 'utf8'));
    const sources = products.map(({ source }) => source);
    expect(sources).toContain('svi');
    expect(sources.indexOf('tiger')).toBe(sources.filter((source) => source !== 'tiger').length);
  });
});

describe('a failing compile with outline threads reports the same error as with one thread, and publishes nothing', () => {
  const shapefile = tractShapefile('tl_2020_10_tract', DELAWARE);
  const shp = shapefile['tl_2020_10_tract.shp'] ?? '';
  const damaged = zipArchive(shapefile, 'deflated');
  const checksumAt = damaged.lastIndexOf('tl_2020_10_tract.shp') - 30;
  damaged[checksumAt] = (damaged[checksumAt] ?? 0) ^ 1;
  const cutOff = { ...shapefile, 'tl_2020_10_tract.shp': shp.slice(0, -20) };
  // Read behind the gazetteer, while the outlines are.
  const badTable = sviText({ '10001040100': [0.1, 0.2, 0.3, 0.4, 0.5] }).replace('10001040100', '"10001040100');
  it.each<[string, InputTree, string]>([
    ['a .shp that is cut off', cutOff, 'in/tl_2020_10_tract.shp: truncated within record 3'],
    ['a damaged archive', { 'tiger.zip': damaged }, 'in/tiger.zip!tl_2020_10_tract.shp: cannot be read: its CRC-32'],
    [
      'a .shp of more shapes than its .dbf has rows',
      { ...shapefile, 'tl_2020_10_tract.dbf': dbfFile(TIGER_COLUMNS, DELAWARE.slice(0, 2).map(tigerRow)) },
      'in/tl_2020_10_tract.shp: contains 3 shapes, but its .dbf 2 rows',
    ],
    [
      'a table behind the gazetteer',
      { ...shapefile, 'SVI_2022_US.csv': badTable },
      'in/SVI_2022_US.csv: broken quoting',
    ],
    ['a table and a .shp: the table', { ...cutOff, 'SVI_2022_US.csv': badTable }, 'in/SVI_2022_US.csv: broken quoting'],
  ])('%s', async (_, tree, message) => {
    const { one, command, there } = await compileBoth({ ...GAZETTEER, ...tree });
    expect(one.error?.message).toContain(message);
    expect(command.code).toBe(1);
    expect(command.stderr).toContain(`${one.error?.message}\nNothing was published.`);
    expect(listGenerations(there)).toEqual([]);
  });
});
