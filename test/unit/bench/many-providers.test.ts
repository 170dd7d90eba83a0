import { expect, it } from 'vitest';
import { TYPES_IN_TURN } from '../../../bench/providers/many-providers.js';
import { PROVIDER_TYPES } from '../../../src/core/provider-types.js';

it('of ten made-up providers seven are primary-care clinicians, and the other types are equally frequent', () => {
  const shares = PROVIDER_TYPES.map(
    (type) => TYPES_IN_TURN.filter((each) => each === type).length / TYPES_IN_TURN.length,
  );
  const [pcp, ...others] = shares;
  expect(pcp).toBeCloseTo(0.7);
  for (const share of others) expect(share).toBeCloseTo(0.3 / others.length);
});
