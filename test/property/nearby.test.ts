import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { distanceMiles, type LatLng } from '../../src/core/coordinates.js';
import { roundTo } from '../../src/core/rounding.js';
import type { WithinQuery } from '../../src/query/around/points-within.js';
import { nearbyBody } from '../../src/query/nearby.js';
import { pointIn } from '../support/arbitrary-points.js';
import { searchableTracts } from '../support/searchable-tracts.js';

const tractSchema = z.looseObject({ geoid: z.string(), distance_miles: z.number() });
const answerSchema = z.looseObject({ total: z.number(), count: z.number(), tracts: z.array(tractSchema) });

/** Searches in tracts with the given internal points; row n has the GEOID 01001 and n in six digits. */
function searchIn(points: readonly LatLng[]) {
  const made = points.map(({ lat, lng }, row) => ({
    geoid: 1_001_000_000 + row,
    name: `Tract ${row}`,
    lat,
    lng,
    value: Number.NaN,
  }));
  const tracts = searchableTracts(made);
  return (query: WithinQuery) => answerSchema.parse(JSON.parse(Buffer.from(nearbyBody(tracts, query)).toString()));
}

/** What nearby must give, by looking at every tract. */
function naive(points: readonly LatLng[], center: LatLng, radiusMiles: number) {
  return points
    .map((point, row) => ({
      geoid: String(1_001_000_000 + row).padStart(11, '0'),
      miles: distanceMiles(center, point),
    }))
    .filter(({ miles }) => miles <= radiusMiles)
    .sort((a, b) => roundTo(a.miles, 2) - roundTo(b.miles, 2) || (a.geoid < b.geoid ? -1 : 1))
    .map(({ geoid, miles }) => ({ geoid, miles: roundTo(miles, 2) }));
}

/** Points close together within a region, so that radii of up to 50 miles hold some and leave out others. */
const regions = {
  'the middle of the country': pointIn(44, 46, -94, -92),
  'both sides of the antimeridian': fc.oneof(pointIn(51, 53, 179, 180), pointIn(51, 53, -180, -179)),
  'the north pole': pointIn(89, 90, -180, 180),
  'the south pole': pointIn(-90, -89, -180, 180),
  'the whole earth': pointIn(-90, 90, -180, 180),
};

for (const [place, point] of Object.entries(regions)) {
  test(`nearby gives what a scan of all tracts gives: ${place}`, () => {
    // More points than a leaf of the tree holds, so that its pruning is put to the test.
    const points = fc.array(point, { minLength: 1, maxLength: 300, size: 'max' });
    const radius = fc.oneof(fc.double({ min: 0.01, max: 50, noNaN: true }), fc.constant(50));
    // To write the tracts takes longer than to search in them.
    const searches = fc.array(fc.tuple(point, radius), { minLength: 3, maxLength: 3 });
    const property = fc.property(points, searches, (tracts, asked) => {
      const search = searchIn(tracts);
      for (const [center, radiusMiles] of asked) {
        const expected = naive(tracts, center, radiusMiles);
        const answer = search({ center, radiusMiles, limit: 1000, offset: 0 });
        expect(answer.total).toBe(expected.length);
        expect(answer.tracts.map((tract) => ({ geoid: tract.geoid, miles: tract.distance_miles }))).toEqual(expected);
      }
    });
    fc.assert(property, { numRuns: 50 });
  });
}

test('pages put together are the whole list, and the total is the same on each', () => {
  const point = regions['the middle of the country'];
  const property = fc.property(
    fc.array(point, { minLength: 1, maxLength: 60 }),
    point,
    fc.integer({ min: 1, max: 9 }),
    (tracts, center, limit) => {
      const search = searchIn(tracts);
      const whole = search({ center, radiusMiles: 50, limit: 1000, offset: 0 });
      const pages = [];
      for (let offset = 0; offset <= whole.total; offset += limit) {
        const page = search({ center, radiusMiles: 50, limit, offset });
        expect(page).toMatchObject({ total: whole.total, offset, limit, count: page.tracts.length });
        pages.push(...page.tracts);
      }
      expect(pages).toEqual(whole.tracts);
    },
  );
  fc.assert(property, { numRuns: 50 });
});

test('what is not known is null, and no field is left out', () => {
  const [tract] = searchIn([{ lat: 45, lng: -93 }])({
    center: { lat: 45, lng: -93 },
    radiusMiles: 1,
    limit: 1,
    offset: 0,
  }).tracts;
  expect(tract).toStrictEqual({
    geoid: '01001000000',
    name: 'Tract 0',
    distance_miles: 0,
    total_population: null,
    median_household_income: null,
    poverty_rate: null,
    uninsured_rate: null,
    unemployment_rate: null,
    median_age: null,
    sdoh_index: null,
  });
});
