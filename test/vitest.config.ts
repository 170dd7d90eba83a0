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
    globalSetup: ['support/run-directory.ts', 'support/service-desk.ts'],
    // One more than a small machine has cores: a good part of the time goes into waiting, for processes and for what
    // they wait for.
    maxWorkers: 3,
    // Files share what is loaded: loading it anew for each took a fifth of the time. So none may leave anything changed.
    isolate: false,
    // Many tests build much and drop it soon. Rare collections of young objects, by one thread as in the service, took a
    // tenth less processor time: a small machine has fewer cores than workers, and none for threads that help.
    execArgv: ['--max-semi-space-size=32', '--single-threaded-gc'],
    // Longer than `eventually` waits, which says what for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is built is run as Node runs it, and not transformed.
    server: { deps: { external: [/\/dist\//] } },
    // None, unless a machine that others share asks for it, as .ci/run does; and never where an answer was wrong.
    retry: { count: Number(process.env.TEST_RETRIES ?? 0), condition: /timed out|EPIPE|ECONNRESET|fetch failed/ },
  },
});
