import { defineConfig } from 'vitest/config';

/** What takes minutes. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: [
      'long/**/*.test.ts',
      // Here too, with more rounds, variants, or tracts than in `npm test`.
      'e2e/{admin,admin-crash,bench,command-line,ended-threads,garbage-collection,generations-crash,idle-memory}.test.ts',
      'e2e/incomplete-generation.test.ts',
      'e2e/{privacy,processes,publish-safety,reload,start,state-crash,unwritable-log,upkeep-metrics,worker-threads}.test.ts',
      'e2e/fetch/kill.test.ts',
      'e2e/webhooks.test.ts',
      'real/providers.test.ts',
      'unit/synthetic/{determinism,nation}.test.ts',
    ],
    globalSetup: ['support/run-directory.ts'],
    env: { LONG_TESTS: 'true' },
    testTimeout: 30 * 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    // As in `npm test`.
    server: { deps: { external: [/\/dist\//] } },
  },
});
