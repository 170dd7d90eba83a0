import { expect, test } from 'vitest';
import { findMistyped } from '../../src/settings/mistyped.js';

const SETTINGS = ['RATE_LIMIT_MAX', 'API_KEYS', 'HOST', 'HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy'];

test.each([
  ['RATE_LIMT_MAX', 'a letter too few'],
  ['RATE_LIMITT_MAX', 'a letter too many'],
  ['RATE_LIMIT_MAY', 'another letter'],
  ['RATE_LIMTI_MAX', 'two letters exchanged'],
  ['rate_limit_max', 'small letters'],
  ['RATE_LIMIT_MA', 'its end missing'],
])('%s is told of with the setting that is meant: %s', (name) => {
  expect(findMistyped([name], SETTINGS)).toEqual([{ name, meant: 'RATE_LIMIT_MAX' }]);
});

test.each(['RATE_LIMIT_MAX', 'HTTP_PROXY', 'http_proxy', 'RATE_LIMTS_MAX', 'POST', 'PATH', ''])(
  'what is a setting, or like none, or short, is not told of: %s',
  (name) => {
    expect(findMistyped([name], SETTINGS)).toEqual([]);
  },
);
