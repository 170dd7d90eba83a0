/**
 * How often a test repeats what meets another moment each time: few times in `npm test`, which are to show that it
 * still holds, many in `npm run test:long`, which look for the moment in which it does not.
 */
export const rounds = (few: number, many: number): number => (process.env.LONG_TESTS === 'true' ? many : few);
