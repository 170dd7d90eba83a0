/**
 * How often to repeat a test that depends on timing: `few` times in `npm test`, as a regression check, and `many` times in
 * `npm run test:long`, to search for a timing that makes it fail.
 */
export const rounds = (few: number, many: number): number => (process.env.LONG_TESTS === 'true' ? many : few);
