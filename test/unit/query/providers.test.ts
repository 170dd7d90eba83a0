import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseGeoid } from '../../../src/core/geoid.js';
import { PROVIDER_KINDS } from '../../../src/core/provider-types.js';
import { type Dataset, openDataset } from '../../../src/format/dataset.js';
import type { ProvidersFile } from '../../../src/format/providers-file.js';
import { impossibleNpi } from '../../../src/load/synthetic/npi.js';
import { providersInBox, providersInTract, providersNear } from '../../../src/query/providers.js';
import { providerRow, providersFile } from '../../support/providers.js';
import { seededRandom } from '../../support/seeded-random.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset, TINY_PROVIDERS, TINY_TRACTS } from '../../support/tiny-dataset.js';

function tinyDataset(): Dataset {
  const directory = temporaryDirectory();
  const dataset = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(() => dataset.release());
  return dataset;
}

const parse = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString('utf8'));
const tractAt = (row: number) => TINY_TRACTS[row] ?? expect.fail('no such tract');
const ofTract = (row: number) =>
  TINY_PROVIDERS.slice(2 * row, 2 * row + 2).sort((a, b) => (Number(a.npi) < Number(b.npi) ? -1 : 1));
const page = { type: 'all', limit: 50, offset: 0 } as const;

test('a search in a tract lists its providers by NPI, with all fields and no distance', () => {
  const { geoid, lat, lng } = tractAt(3);
  const answer = parse(providersInTract(tinyDataset(), { geoid, ...page }));
  expect(answer).toStrictEqual({
    count: 2,
    total: 2,
    offset: 0,
    limit: 50,
    providers: ofTract(3).map((row) => ({
      npi: row.npi,
      provider_name: row.providerName,
      credential: row.credential,
      primary_taxonomy: row.primaryTaxonomy,
      taxonomy_description: row.taxonomyDescription,
      provider_type: row.providerType,
      practice_address: row.practiceAddress,
      practice_city: row.practiceCity,
      practice_state: row.practiceState,
      practice_zip: row.practiceZip,
      phone: row.phone,
      is_fqhc: row.isFqhc,
      entity_type: row.entityType,
      gender: row.gender,
      tract_fips: geoid,
      lat,
      lng,
      distance_miles: null,
    })),
  });
});

test('a search in a tract filters by type and pages, and its total does not depend on the page', () => {
  const dataset = tinyDataset();
  const { geoid } = tractAt(0);
  const pcp = parse(providersInTract(dataset, { geoid, ...page, type: 'pcp' }));
  expect(pcp.providers.map((provider: { npi: string }) => provider.npi)).toEqual([TINY_PROVIDERS[0]?.npi]);
  const second = parse(providersInTract(dataset, { geoid, type: 'all', limit: 1, offset: 1 }));
  expect(second).toMatchObject({ count: 1, total: 2, offset: 1, limit: 1, providers: [{ npi: ofTract(0)[1]?.npi }] });
  expect(parse(providersInTract(dataset, { geoid, type: 'all', limit: 1, offset: 2 }))).toMatchObject({
    count: 0,
    total: 2,
    providers: [],
  });
});

test('a tract that is not loaded has no providers', () => {
  const geoid = parseGeoid('56001000100') ?? expect.fail();
  const empty = { count: 0, total: 0, offset: 0, limit: 50, providers: [] };
  expect(parse(providersInTract(tinyDataset(), { geoid, ...page }))).toEqual(empty);
});

test('a search around a point gives providers at the same place by NPI', () => {
  const { lat, lng } = tractAt(7);
  const answer = parse(providersNear(tinyDataset(), { center: { lat, lng }, radiusMiles: 1, ...page }));
  expect(answer.total).toBe(2);
  const found = answer.providers.map((provider: Record<string, unknown>) => [provider.npi, provider.distance_miles]);
  expect(found).toEqual(ofTract(7).map(({ npi }) => [npi, 0]));
});

test('a feature has exactly the properties of the contract, and the collection says so when it was cut', () => {
  const { south, west, lat, lng } = tractAt(4);
  const box = { west, south, east: west + 0.1, north: south + 0.1 };
  const whole = parse(providersInBox(tinyDataset(), { ...box, type: 'all', limit: 2 }));
  expect(Object.keys(whole)).toEqual(['type', 'features']);
  const [first] = ofTract(4);
  expect(whole.features[0]).toMatchObject({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { npi: first?.npi, provider_name: first?.providerName },
  });
  expect(Object.keys(whole.features[0].properties).join(' ')).toBe(
    'npi provider_name credential primary_taxonomy taxonomy_description provider_type practice_address practice_city ' +
      'practice_state practice_zip phone is_fqhc entity_type',
  );
  const cut = parse(providersInBox(tinyDataset(), { ...box, type: 'all', limit: 1 }));
  expect(cut).toStrictEqual({ ...whole, features: whole.features.slice(0, 1), truncated: true });
});

test('a box gives the same bytes whether the order of the records is known or looked up, and by type', () => {
  const random = seededRandom(11);
  const rows = Array.from({ length: 3000 }, (_, index) =>
    providerRow({
      npi: impossibleNpi(index),
      providerName: `Synthia ${'é'.repeat(index % 9)}`,
      providerType: index % 3 === 0 ? 'fqhc' : 'pcp',
      lat: 45 + random.next(),
      lng: -95 + random.next(),
    }),
  );
  const file = providersFile(temporaryDirectory(), rows);
  onTestFinished(() => file.container.release());
  const unordered: ProvidersFile = {
    ...file,
    trees: (filter) => file.trees(filter).map(({ ordersRecords, ...tree }) => tree),
  };
  expect(file.trees('all').map(({ ordersRecords }) => ordersRecords)).toEqual([true]);
  const [west, south, east, north] = [-94.8, 45.1, -94.1, 45.9];
  for (const [type, limit] of [
    ['all', 2000],
    ['all', 700],
    ['all', 3],
    ['fqhc', 2000],
  ] as const) {
    const query = { west, south, east, north, type, limit };
    const wanted = [...file.npis.keys()].filter((row) => {
      const [lat = 0, lng = 0] = [file.lats[row], file.lngs[row]];
      const isInside = lng >= west && lng <= east && lat >= south && lat <= north;
      return isInside && (type === 'all' || PROVIDER_KINDS[file.types[row] ?? -1] === type);
    });
    const body = providersInBox({ providers: file }, query);
    const { features, truncated } = parse(body);
    expect(features.map(({ properties }: { properties: { npi: string } }) => Number(properties.npi))).toEqual(
      wanted.slice(0, limit).map((row) => file.npis[row]),
    );
    expect(truncated).toBe(wanted.length > limit ? true : undefined);
    expect(Buffer.from(providersInBox({ providers: unordered }, query)).equals(body)).toBe(true);
  }
});

test('a dataset without providers answers every search with none', () => {
  const dataset = { providers: undefined, tracts: { geoids: new Float64Array(0) } };
  const list = { count: 0, total: 0, offset: 0, limit: 50, providers: [] };
  expect(parse(providersNear(dataset, { center: { lat: 45, lng: -95 }, radiusMiles: 50, ...page }))).toEqual(list);
  expect(parse(providersInTract(dataset, { geoid: tractAt(0).geoid, ...page }))).toEqual(list);
  const box = { west: -180, south: -90, east: 180, north: 90 };
  expect(parse(providersInBox(dataset, { ...box, type: 'all', limit: 5 }))).toEqual({
    type: 'FeatureCollection',
    features: [],
  });
});
