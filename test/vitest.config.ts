import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: [
      'unit/**/*.test.ts',
      'property/**/*.test.ts',
      'contract/**/*.test.ts',
      'e2e/**/*.test.ts',
      'real/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
