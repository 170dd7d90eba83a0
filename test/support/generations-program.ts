import { createChecks } from '../../src/catalog/admin/check-threads.js';
import { createDatasetAdmin } from '../../src/catalog/admin/create-dataset-admin.js';
import { runCheck } from '../../src/catalog/admin/generation-checks.js';

/**
 * A program that rolls back and prunes a datasets directory (`<directory>`), for tests that kill it. Prints the name of each
 * step before the step begins, and `done` at the end.
 */
const [datasetsDir] = process.argv.slice(2);
if (datasetsDir === undefined) throw new Error('usage: <directory>');

const nothing = () => Promise.resolve();
const admin = createDatasetAdmin({
  datasetsDir,
  served: {
    live: () => Promise.resolve(undefined),
    prepare: () => Promise.resolve({ isLive: false, commit: nothing, discard: nothing }),
  },
  checks: createChecks((check) => Promise.resolve(runCheck(check))),
  pinned: () => Promise.resolve(new Set()),
  reloaded: nothing,
  now: () => performance.now(),
});

const print = (line: string) =>
  new Promise<void>((resolve) => {
    process.stdout.write(`${line}\n`, () => resolve());
  });

await print('rollback');
await admin.rollback();
await print('prune');
await admin.prune({ keep: 0 });
await print('done');
