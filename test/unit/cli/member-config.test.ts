import { expect, test } from 'vitest';
import { configOfMember } from '../../../src/cli/member-config.js';
import { loadConfig } from '../../../src/config.js';

test('the processes’ caches have together what the settings say, and each may make a call', () => {
  const env = { PROCESSES: '3', CACHE_MAX_SIZE: '10', CACHE_MAX_BYTES: '2', NARRATIVE_MAX_CONCURRENT: '2' };
  const { config } = loadConfig({ argv: [], env });
  const shares = [0, 1, 2].map((index) => configOfMember(config, index));
  expect(shares.map(({ cacheMaxSize }) => cacheMaxSize)).toEqual([4, 3, 3]);
  expect(shares.map(({ cacheMaxBytes }) => cacheMaxBytes)).toEqual([1, 1, 0]);
  expect(shares.map(({ narrativeMaxConcurrent }) => narrativeMaxConcurrent)).toEqual([1, 1, 1]);
});
