const isLong = process.env.LONG_TESTS === 'true';

/**
 * How often to repeat a test that depends on timing: `few` times in `npm test`, as a regression check, and `many` times in
 * `npm run test:long`, to search for a timing that makes it fail.
 */
export const rounds = (few: number, many: number): number => (isLong ? many : few);

/** Variants of a test: some in `npm test`, and in `npm run test:long` also those that hardly fail where the others pass. */
export const variants = <T>(always: readonly T[], also: readonly T[]): readonly T[] =>
  isLong ? [...always, ...also] : always;
