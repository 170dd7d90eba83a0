import { defineConfig } from 'vitest/config';

/** What takes minutes. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['long/**/*.test.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
