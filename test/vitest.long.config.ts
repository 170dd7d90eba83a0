import { defineConfig } from 'vitest/config';

/** What takes minutes. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: [
      'long/**/*.test.ts',
      // Here too, with more rounds than in `npm test`.
      'e2e/{ended-threads,publish-safety,reload,state-crash}.test.ts',
      'e2e/fetch/kill.test.ts',
    ],
    env: { LONG_TESTS: 'true' },
    testTimeout: 30 * 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
