import { describe, expect, test } from 'vitest';
import { METRICS } from '../../src/core/metrics.js';
import { failure, invalid, shareContract } from '../support/contract.js';
import { NO_TRACT, TRACT } from '../support/contract-values.js';

const contract = shareContract();
const get = (geoid: string) => contract.call(`/v1/tracts/${geoid}`);

describe('GET /v1/tracts/{geoid}', () => {
  test('200: gives every metric of the record', async () => {
    const { status, body } = await get(TRACT);
    expect(status).toBe(200);
    for (const { path } of METRICS) expect(body).toHaveProperty(path);
    expect(body).toHaveProperty('epa_data._source', 'Synthetic EJScreen 2023');
  });

  test('404: a tract that is not loaded', async () => {
    expect(await get(NO_TRACT)).toMatchObject(failure(404, `Tract ${NO_TRACT} not found.`));
  });

  test.each(['1100100170', '110010017040', '1100100170x', '%20'])('422: %s', async (geoid) => {
    expect(await get(geoid)).toMatchObject(invalid(['path', 'geoid'], 'string_pattern_mismatch'));
  });
});
