import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMiles, type LatLng, type LatLngBox } from '../../src/core/coordinates.js';
import { PROVIDER_FILTERS, PROVIDER_TYPES, type ProviderFilter } from '../../src/core/provider-types.js';
import { roundTo } from '../../src/core/rounding.js';
import type { ProviderRow } from '../../src/load/providers/provider.js';
import { providersInBox, providersNear, type SearchableProviders } from '../../src/query/providers.js';
import { providerRow, providersFile } from '../support/providers.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Coarse coordinates, so that points coincide, distances tie, and borders are met. */
const coarse = (min: number, max: number) => fc.integer({ min: min * 4, max: max * 4 }).map((quarters) => quarters / 4);
const point = (south: number, north: number, west: number, east: number) =>
  fc.record({
    lat: fc.oneof(degrees(south, north), coarse(south, north)),
    lng: fc.oneof(degrees(west, east), coarse(west, east)),
  });
const regions = {
  'the middle of the country': point(44, 46, -94, -92),
  'both sides of the antimeridian': fc.oneof(point(51, 53, 178, 180), point(51, 53, -180, -178)),
};
const filters = fc.constantFrom(...PROVIDER_FILTERS);

const providersAt = (where: fc.Arbitrary<LatLng>) =>
  fc
    .uniqueArray(fc.integer({ min: 1_000_000_000, max: 1_999_999_999 }), { minLength: 0, maxLength: 200, size: 'max' })
    .chain((npis) =>
      fc.tuple(
        ...npis.map((npi) =>
          fc
            .tuple(where, fc.constantFrom(...PROVIDER_TYPES))
            .map(([at, providerType]) => providerRow({ npi: String(npi), providerType, ...at })),
        ),
      ),
    );

/** Opens a file for each try, and closes it after. */
function opener(): <T>(rows: readonly ProviderRow[], use: (dataset: SearchableProviders) => T) => T {
  const directory = temporaryDirectory();
  let tries = 0;
  return (rows, use) => {
    const own = join(directory, String(tries++));
    mkdirSync(own);
    const providers = providersFile(own, rows);
    try {
      return use({ providers });
    } finally {
      providers.container.release();
    }
  };
}

const parse = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString('utf8'));
const isWanted = (filter: ProviderFilter) => (row: ProviderRow) => filter === 'all' || row.providerType === filter;
const byNpi = (a: ProviderRow, b: ProviderRow) => (Number(a.npi) < Number(b.npi) ? -1 : 1);

for (const [place, where] of Object.entries(regions)) {
  test(`a search around a point gives what a scan of all providers gives, page by page: ${place}`, () => {
    const open = opener();
    const radius = fc.oneof(degrees(0.01, 50), fc.constant(50));
    const property = fc.property(
      providersAt(where),
      where,
      radius,
      filters,
      fc.integer({ min: 1, max: 60 }),
      (rows, center, radiusMiles, type, limit) => {
        const expected = rows
          .filter(isWanted(type))
          .sort(byNpi)
          .map((row) => ({ npi: row.npi, miles: distanceMiles(center, row) }))
          .filter(({ miles }) => miles <= radiusMiles)
          .sort((a, b) => roundTo(a.miles, 2) - roundTo(b.miles, 2))
          .map(({ npi, miles }) => ({ npi, miles: roundTo(miles, 2) }));
        open(rows, (dataset) => {
          const found = [];
          for (let offset = 0; offset <= expected.length; offset += limit) {
            const page = parse(providersNear(dataset, { center, radiusMiles, type, limit, offset }));
            expect(page).toMatchObject({ total: expected.length, count: page.providers.length, offset, limit });
            found.push(...page.providers);
          }
          expect(found.map(({ npi, distance_miles }) => ({ npi, miles: distance_miles }))).toEqual(expected);
        });
      },
    );
    fc.assert(property, { numRuns: 30 });
  });
}

const boxes: Record<string, { where: fc.Arbitrary<LatLng>; box: fc.Arbitrary<LatLngBox> }> = {
  'in the middle of the country': {
    where: regions['the middle of the country'],
    box: fc.tuple(regions['the middle of the country'], regions['the middle of the country']).map(([a, b]) => ({
      west: Math.min(a.lng, b.lng),
      east: Math.max(a.lng, b.lng),
      south: Math.min(a.lat, b.lat),
      north: Math.max(a.lat, b.lat),
    })),
  },
  'across the antimeridian': {
    where: regions['both sides of the antimeridian'],
    box: fc
      .tuple(coarse(178, 179), coarse(-180, -178), coarse(51, 52), degrees(52, 53))
      .map(([west, east, south, north]) => ({ west, east, south, north })),
  },
};

for (const [place, { where, box }] of Object.entries(boxes)) {
  test(`a search in a box gives what a scan of all providers gives, by NPI, and says when it was cut: ${place}`, () => {
    const open = opener();
    const property = fc.property(
      providersAt(where),
      box,
      filters,
      fc.integer({ min: 1, max: 60 }),
      (rows, bounds, type, limit) => {
        const { west, east, south, north } = bounds;
        const inLongitude = (lng: number) => (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east);
        const expected = rows
          .filter(isWanted(type))
          .filter(({ lat, lng }) => inLongitude(lng) && lat >= south && lat <= north)
          .sort(byNpi);
        const collection = open(rows, (dataset) => parse(providersInBox(dataset, { ...bounds, type, limit })));
        expect(collection.features.map((feature: { properties: { npi: string } }) => feature.properties.npi)).toEqual(
          expected.slice(0, limit).map(({ npi }) => npi),
        );
        expect(collection.truncated).toBe(expected.length > limit ? true : undefined);
      },
    );
    fc.assert(property, { numRuns: 30 });
  });
}
