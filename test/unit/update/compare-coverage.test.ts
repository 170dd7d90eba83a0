import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { OUTLINES_FILE } from '../../../src/format/outlines-file.js';
import type { PublishedDataset } from '../../../src/load/publish-intake.js';
import { describeReplaced } from '../../../src/load/update/compare-coverage.js';
import { load } from '../../support/loading.js';
import {
  cenpopText,
  gazetteerText,
  type InputTree,
  type SquareTract,
  writeTree,
} from '../../support/official-files.js';
import { publishDemo } from '../../support/publish-demo.js';
import { smallInput } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

async function publish(outputDir: string, tree: InputTree, ...states: string[]): Promise<PublishedDataset> {
  const inputDirs = [writeTree(join(temporaryDirectory(), 'in'), tree)];
  const filter = { territories: false, ...(states.length > 0 && { states: new Set(states) }) };
  const { published, error } = await load({ inputDirs, outputDir, filter });
  if (!published) throw error;
  return published;
}

const without = (...paths: string[]): InputTree =>
  Object.fromEntries(Object.entries(smallInput()).filter(([name]) => !paths.some((path) => name.startsWith(path))));

/** What is told where the second input replaces the first. */
async function told(first: InputTree, second: InputTree): Promise<string[]> {
  const outputDir = temporaryDirectory();
  const { generation } = await publish(outputDir, first);
  return describeReplaced(outputDir, await publish(outputDir, second)).map((line) => line.replace(generation, 'it'));
}

describe('what a generation has less of than the one that it replaced', () => {
  it('is reported by section if all of its metrics have less, else by metric, with the states and both counts', async () => {
    expect(await told(smallInput(), without('svi/'))).toEqual([
      'Coverage lost compared with it: svi_themes in 10, 11: 5 → 0 tracts; sdoh_index in 10, 11: 4 → 0 tracts',
    ]);
    expect(await told(smallInput(), without('acs/acsdt5y2022-b19013'))).toEqual([
      'Coverage lost compared with it: median_household_income in 10, 11: 4 → 0 tracts',
    ]);
    expect(await told(smallInput(), without('acs/'))).toEqual([
      expect.stringContaining('demographics (2 of 6 metrics) in 10, 11: 5 → 0 tracts'),
    ]);
    expect(await told(smallInput(), without('tiger/dc/'))).toEqual([
      'Coverage lost compared with it: outlines in 11: 2 → 0',
    ]);
  });

  it('is one line, whatever is gone', async () => {
    const [line, ...more] = await told(smallInput(), without('acs/', 'svi/', 'ejscreen/', 'tiger/dc/'));
    expect([line?.split('; '), more]).toEqual([expect.objectContaining({ length: 5 }), []]);
    expect(line).toMatch(/; 1 more in 11$/);
  });

  it('is nothing where there is the same or more, where the same is live already, and where nothing was', async () => {
    expect(await told(without('svi/', 'acs/'), smallInput())).toEqual([]);
    expect(await told(smallInput(), smallInput(250))).toEqual([]);
    expect(await told(smallInput(), smallInput())).toEqual([]);
    const outputDir = temporaryDirectory();
    expect(describeReplaced(outputDir, await publish(outputDir, smallInput()))).toEqual([]);
  });

  it('is told by the states that are gone, and leaves out those that are new', async () => {
    const outputDir = temporaryDirectory();
    const { generation } = await publish(outputDir, smallInput(), '10');
    expect(describeReplaced(outputDir, await publish(outputDir, smallInput(), '11'))).toEqual([
      `Coverage lost compared with ${generation}: states gone: 10`,
    ]);
    expect(describeReplaced(outputDir, await publish(outputDir, smallInput()))).toEqual([]);
    expect(describeReplaced(outputDir, await publish(outputDir, without('tiger/', 'svi/'), '10'))).toEqual([
      expect.stringMatching(/: states gone: 11; outlines in 10: 3 → 0; svi_themes in 10: 3 → 0 tracts;/),
    ]);
  });

  it('is nothing to speak of up to 2% of it', async () => {
    const tracts = Array.from({ length: 100 }, (_, at): SquareTract => {
      return { geoid: `10001${String((at + 1) * 100).padStart(6, '0')}`, west: -75, south: 39 };
    });
    const counted = (count: number): InputTree => ({
      '2023_Gaz_tracts_national.txt': gazetteerText(tracts),
      'CenPop2020_Mean_TR.txt': cenpopText(
        Object.fromEntries(tracts.slice(0, count).map(({ geoid }) => [geoid, 4000])),
      ),
    });
    expect(await told(counted(100), counted(98))).toEqual([]);
    expect(await told(counted(100), counted(97))).toEqual([
      'Coverage lost compared with it: total_population in 10: 100 → 97 tracts',
    ]);
  });

  it('names every state, however many', async () => {
    const areas = ['01', '04', '05', '06', '08'];
    const tracts = areas.map((fips, at): SquareTract => ({ geoid: `${fips}001000100`, west: -100 + at, south: 35 }));
    const gazetteer = { '2023_Gaz_tracts_national.txt': gazetteerText(tracts) };
    const populations = Object.fromEntries(tracts.map(({ geoid }) => [geoid, 4000]));
    expect(await told({ ...gazetteer, 'CenPop2020_Mean_TR.txt': cenpopText(populations) }, gazetteer)).toEqual([
      'Coverage lost compared with it: total_population in 01, 04, 05, 06, 08: 5 → 0 tracts',
    ]);
  });

  it('is all that was measured where the demo nation takes its place, and nothing where that makes way for real data', async () => {
    const outputDir = temporaryDirectory();
    const { generation } = await publish(outputDir, smallInput());
    expect(describeReplaced(outputDir, await publishDemo(outputDir))).toEqual([
      `Synthetic data replaced the measured data of ${generation}`,
    ]);
    const published = await publish(outputDir, without('svi/'));
    expect(published.replaced).toMatch(/^[0-9a-f]{32}$/);
    expect(describeReplaced(outputDir, published)).toEqual([]);
  });

  it('is not known where the one before is damaged or gone, which is said', async () => {
    const outputDir = temporaryDirectory();
    const first = await publish(outputDir, smallInput());
    const second = await publish(outputDir, without('svi/'));
    const line = `${first.generation} cannot be read, so the new dataset is not compared with it: `;
    writeFileSync(join(generationPath(outputDir, first.generation), OUTLINES_FILE), 'x');
    expect(describeReplaced(outputDir, second)).toEqual([expect.stringContaining(line)]);
    rmSync(generationPath(outputDir, first.generation), { recursive: true });
    expect(describeReplaced(outputDir, second)).toEqual([expect.stringContaining(line)]);
  });
});
