import { describe, expect, test } from 'vitest';
import { COMPARED_METRICS } from '../../src/core/metrics.js';
import { comparisonSchema } from '../../src/http/schemas/comparisons.js';
import { failure, invalid, shareContract } from '../support/contract.js';
import { NO_TRACT, TRACT } from '../support/contract-values.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/compare?${query}`);
const OTHER = '10001000100';

/** Sides and differences by metric. */
async function compared(query: string) {
  const { a, b, differences } = comparisonSchema.parse((await get(query)).body);
  const rows = COMPARED_METRICS.map(({ key }) => [a.values[key], b.values[key], differences[key]] as const);
  return { a, b, rows };
}

describe('GET /v1/compare, 200', () => {
  test.each([`geoid2=${OTHER}`, 'compare_to=county', 'compare_to=state', 'compare_to=national'])(
    'gives a − b for each metric, null where either is: %s',
    async (side) => {
      const { rows } = await compared(`geoid1=${TRACT}&${side}`);
      for (const [a, b, difference] of rows) {
        if (typeof a !== 'number' || typeof b !== 'number') expect(difference).toBeNull();
        else expect(difference).toBeCloseTo(a - b, 4);
      }
    },
  );

  test('gives two tracts as sides of their own', async () => {
    const { a, b } = await compared(`geoid1=${TRACT}&geoid2=${OTHER}`);
    expect([a.type, a.geoid, b.type, b.geoid]).toEqual(['tract', TRACT, 'tract', OTHER]);
  });

  test('gives nothing but zeros for a tract beside itself', async () => {
    const { rows } = await compared(`geoid1=${TRACT}&geoid2=${TRACT}`);
    expect(rows.every(([, , difference]) => difference === 0 || difference === null)).toBe(true);
  });

  test.each(['county', 'state', 'national'])('gives the %s average as a side without a GEOID', async (scope) => {
    const { b } = await compared(`geoid1=${TRACT}&compare_to=${scope}`);
    expect(b).toMatchObject({ type: `${scope}_average`, geoid: null, label: expect.stringMatching(/ average$/) });
  });
});

describe('GET /v1/compare, 400', () => {
  const WRONG_SCOPE = "'compare_to' must be 'county', 'state', or 'national'.";
  test.each([
    [`geoid1=${TRACT}&geoid2=${OTHER}&compare_to=state`, "Provide either 'geoid2' or 'compare_to', not both."],
    [`geoid1=${TRACT}&geoid2=${OTHER}&compare_to=moon`, "Provide either 'geoid2' or 'compare_to', not both."],
    [`geoid1=${TRACT}`, "Provide either 'geoid2' or 'compare_to'."],
    [`geoid1=${NO_TRACT}`, "Provide either 'geoid2' or 'compare_to'."],
    [`geoid1=${TRACT}&compare_to=moon`, WRONG_SCOPE],
    [`geoid1=${NO_TRACT}&compare_to=moon`, WRONG_SCOPE],
    [`geoid1=${TRACT}&compare_to=`, WRONG_SCOPE],
    [`geoid1=${TRACT}&compare_to=COUNTY`, WRONG_SCOPE],
  ])('%s', async (query, detail) => {
    expect(await get(query)).toMatchObject(failure(400, detail));
  });
});

describe('GET /v1/compare, 404', () => {
  test.each([
    [`geoid1=${NO_TRACT}&geoid2=${TRACT}`, NO_TRACT],
    [`geoid1=${TRACT}&geoid2=${NO_TRACT}`, NO_TRACT],
    [`geoid1=88888888888&geoid2=${NO_TRACT}`, '88888888888'],
    [`geoid1=${NO_TRACT}&compare_to=state`, NO_TRACT],
  ])('%s', async (query, geoid) => {
    expect(await get(query)).toMatchObject(failure(404, `Tract ${geoid} not found.`));
  });
});

describe('GET /v1/compare, 422', () => {
  test.each([
    ['compare_to=state', 'geoid1', 'missing'],
    ['geoid1=123&compare_to=state', 'geoid1', 'string_pattern_mismatch'],
    [`geoid1=${TRACT}&geoid2=123`, 'geoid2', 'string_pattern_mismatch'],
    [`geoid1=${TRACT}&geoid2=123&compare_to=moon`, 'geoid2', 'string_pattern_mismatch'],
    [`geoid1=${TRACT}&geoid1=${TRACT}&compare_to=state`, 'geoid1', 'value_error'],
  ])('%s', async (query, name, type) => {
    expect(await get(query)).toMatchObject(invalid(['query', name], type));
  });
});
