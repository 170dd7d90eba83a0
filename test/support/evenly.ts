import fc from 'fast-check';

const STEPS = 2 ** 40;

/**
 * Numbers spread over a range, both ends included, about evenly. `fc.double` spreads over the doubles that there are: nine in
 * ten of those from 0 to 1, and from -90 to 90, are next to nothing.
 */
export const evenly = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: STEPS }).map((step) => min + (max - min) * (step / STEPS));
