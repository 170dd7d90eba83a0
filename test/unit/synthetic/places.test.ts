import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { type Dataset, openDataset } from '../../../src/format/dataset.js';
import { createEmbeddedGeocoder } from '../../../src/geocode/embedded.js';
import { isMatch } from '../../../src/geocode/geocoder.js';
import { Intake } from '../../../src/load/intake/intake.js';
import { publishIntake, publishing } from '../../../src/load/publish-intake.js';
import { impossibleNpi } from '../../../src/load/synthetic/npi.js';
import { createPostalPlan } from '../../../src/load/synthetic/postal-plan.js';
import { synthesize } from '../../../src/load/synthetic/synthesize.js';
import { readTractCounts } from '../../../src/load/tract-counts.js';
import { sampleAddresses } from '../../support/sample-addresses.js';
import { record } from './recorder.js';

/** The Luhn check as it is done on card numbers, over the prefix that NPIs have on cards. */
function passesLuhn(npi: string): boolean {
  let sum = 0;
  [...`80840${npi}`].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return sum % 10 === 0;
}

describe('NPIs of the demo', () => {
  it('have the check digit of the standard wrong', () => {
    // The example of the standard: 123456789 has the check digit 3.
    expect(passesLuhn('1234567893')).toBe(true);
    const npis = Array.from({ length: 5000 }, (_, index) => impossibleNpi(index * 133));
    expect(npis.filter(passesLuhn)).toEqual([]);
    expect(npis.every((npi) => /^1\d{9}$/.test(npi))).toBe(true);
    expect(new Set(npis).size).toBe(npis.length);
  });
});

describe('towns of the demo', () => {
  it('have ZIPs and names of their own in every state', () => {
    const counts = readTractCounts();
    const plan = createPostalPlan(counts);
    const seen = new Map<string, string>();
    for (const [county, count] of counts) {
      for (let tract = 0; tract < count; tract += 10) {
        const { zip, city } = plan.townOf(county, tract);
        const place = `${county}/${tract}`;
        for (const key of [zip, `${county.slice(0, 2)}/${city}`]) {
          if (seen.has(key)) expect.fail(`${key} of ${place} is of ${seen.get(key)}, too`);
          seen.set(key, place);
        }
      }
    }
  });
});

describe('the demo of three states', () => {
  const states = new Set(['10', '11', '15']);
  const demo = record({ states, seed: 1 });
  const directory = mkdtempSync(join(tmpdir(), 'tract-context-'));
  let dataset: Dataset;

  beforeAll(async () => {
    const intake = new Intake({ states, territories: false });
    synthesize({ states, seed: 1 }, intake);
    const quiet = { line: () => {}, step: () => {} };
    const { generation } = await publishing(directory, async (publication) =>
      publishIntake(intake, publication, { readFrom: 'synthetic' }, quiet),
    );
    dataset = openDataset(generationPath(directory, generation));
    return () => {
      dataset.release();
      rmSync(directory, { recursive: true, force: true });
    };
  });

  it('has three to four streets a tract and a provider for every 1,300 or so people', () => {
    expect(demo.streetSegments.length / demo.tracts.size).toBeGreaterThan(3);
    expect(demo.streetSegments.length / demo.tracts.size).toBeLessThanOrEqual(4);
    expect(demo.providers.length / demo.tracts.size).toBeGreaterThan(2.5);
    expect(demo.providers.length / demo.tracts.size).toBeLessThan(3.5);
  });

  it('geocodes every address of its streets to a position in the tract of the street', async () => {
    const geocoder = createEmbeddedGeocoder(() => dataset);
    const sides = demo.streetSegments.flatMap(({ left, right }) => [left, right]).filter((side) => side !== undefined);
    const samples = sampleAddresses(dataset, sides.length);
    expect(samples.length).toBe(sides.length);
    for (const { address, near } of samples) {
      const result = await geocoder.geocode(address);
      if (!isMatch(result)) expect.fail(`${address}: ${result.noMatch}`);
      const asTyped = address.toLowerCase().replaceAll(',', '');
      const withoutZip = address.slice(0, -' 12345'.length);
      expect({
        matchedAddress: result.matchedAddress,
        tract: dataset.outlines.locate(result),
        asTyped: await geocoder.geocode(asTyped),
        withoutZip: await geocoder.geocode(withoutZip),
      }).toEqual({
        matchedAddress: address,
        tract: dataset.outlines.locate(near),
        asTyped: result,
        withoutZip: result,
      });
    }
  });

  it('has each provider where the geocoder puts the practice address', async () => {
    const geocoder = createEmbeddedGeocoder(() => dataset);
    for (const row of demo.providers) {
      const address = `${row.practiceAddress}, ${row.practiceCity}, ${row.practiceState} ${row.practiceZip}`;
      const result = await geocoder.geocode(address);
      if (!isMatch(result)) expect.fail(`${address}: ${result.noMatch}`);
      expect(Math.abs(result.lat - row.lat)).toBeLessThan(1e-6);
      expect(Math.abs(result.lng - row.lng)).toBeLessThan(1e-6);
      expect(dataset.outlines.locate(result)).toBe(dataset.outlines.locate(row));
    }
  });

  it('has no provider who could be taken for a real one', () => {
    expect(new Set(demo.providers.map(({ npi }) => npi)).size).toBe(demo.providers.length);
    for (const row of demo.providers) {
      expect(passesLuhn(row.npi ?? ''), row.providerName).toBe(false);
      expect(row.providerName).toMatch(/Synthetic |(Demo|Sample|Mock|Synthetic)-/);
      expect(row.phone).toMatch(/^\d{3}-555-01\d\d$/);
      expect(row.entityType).toBe(row.gender === null ? '2' : '1');
      expect(row.isFqhc || row.providerType !== 'fqhc').toBe(true);
    }
  });

  it('is the same for the same seed, whichever other states are made', () => {
    const alone = record({ states: new Set(['10']), seed: 1 });
    const inState = <Row>(rows: readonly Row[], stateOf: (row: Row) => string | null, state: string) =>
      rows.filter((row) => stateOf(row) === state);
    expect(inState(demo.providers, (row) => row.practiceState, 'DE')).toEqual(alone.providers);
    expect(inState(demo.streetSegments, (row) => row.stateFips, '10')).toEqual(alone.streetSegments);
    const other = record({ states: new Set(['10']), seed: 2 });
    expect(other.providers).not.toEqual(alone.providers);
    expect(other.streetSegments).not.toEqual(alone.streetSegments);
  });
});
