import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type GeocodeOutcome,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  isMatch,
} from '../../src/geocode/geocoder.js';
import type { UpstreamCall } from '../../src/geocode/upstream/caller.js';
import { createCensusGeocoder } from '../../src/geocode/upstream/census.js';
import { createNominatimGeocoder } from '../../src/geocode/upstream/nominatim.js';
import { UpstreamError } from '../../src/geocode/upstream/upstream-error.js';
import { censusAnswer, censusMatchRow, nominatimPlace } from '../support/geocoder-answers.js';

const HOME = { lat: 39.158168, lng: -75.524369, matchedAddress: '7 SAMPLEWOOD AVE' };
const ADDRESSES = ['7 Samplewood Ave, Sampleton, DE 19901', '7 Elm St, Sampleton, DE'];

/** An upstream whose every answer has this body. */
const answering =
  (body: string): UpstreamCall =>
  async (_, read) => {
    const answer = read(body);
    if (answer === undefined) throw new UpstreamError('census', 'unexpected-answer');
    return answer;
  };

/** A good answer with a value somewhere in it replaced by any other. */
function damaged(good: unknown): fc.Arbitrary<string> {
  const paths = pathsOf(good);
  return fc
    .tuple(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }))
    .map(([path, value]) => JSON.stringify(replaced(good, path, value)));
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const entries = Object.entries(value ?? {}).map(([own, inner]) => [
    own,
    own === key ? replaced(inner, rest, by) : inner,
  ]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

async function checkOutcomes(geocoder: Geocoder): Promise<void> {
  const outcomes = await geocodeEach(geocoder, ADDRESSES);
  expect(outcomes).toHaveLength(ADDRESSES.length);
  outcomes.forEach(checkOutcome);
}

function checkOutcome(outcome: GeocodeOutcome): void {
  if (outcome instanceof GeocoderUnavailableError) return;
  if (!isMatch(outcome)) {
    expect(['no match', 'tie']).toContain(outcome.noMatch);
    return;
  }
  const { lat, lng, matchedAddress } = outcome;
  expect([Math.abs(lat) <= 90, Math.abs(lng) <= 180]).toEqual([true, true]);
  expect(matchedAddress.length).toBeGreaterThan(0);
  expect(matchedAddress.length).toBeLessThan(2000);
}

describe('whatever comes back, it is a position on Earth, no match, or a failure', () => {
  const tractAt = (): number => 0;
  const anyBody = fc.oneof(fc.string(), fc.json());

  test('from the Census geocoder', async () => {
    const table = fc.tuple(fc.string(), fc.nat(500), fc.nat(20)).map(([noise, at, cut]) => {
      const rows = censusMatchRow(0, HOME) + censusMatchRow(1, HOME);
      return rows.slice(0, at) + noise + rows.slice(at + cut);
    });
    const body = fc.oneof(anyBody, damaged(censusAnswer([HOME, HOME])), table);
    await fc.assert(
      fc.asyncProperty(body, (text) =>
        checkOutcomes(createCensusGeocoder({ call: answering(text), baseUrl: 'http://x', tractAt })),
      ),
    );
  });

  test('from Nominatim', async () => {
    const body = fc.oneof(anyBody, damaged([nominatimPlace(HOME, {}), nominatimPlace(HOME, {})]));
    await fc.assert(
      fc.asyncProperty(body, (text) =>
        checkOutcomes(createNominatimGeocoder({ call: answering(text), baseUrl: 'http://x', tractAt })),
      ),
    );
  });
});
