import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The directory of real input files: `REAL_DATA_DIR`, or `../shared/data` next to the checkout. If it is absent, prints a
 * line that says so and returns undefined, so that the tests can be skipped.
 */
export function realDataDir(testName: string): string | undefined {
  const dir = resolve(process.env.REAL_DATA_DIR ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data'));
  if (existsSync(join(dir, 'raw'))) return dir;
  console.log(`${testName}: skipped, no real data in ${dir} (set REAL_DATA_DIR)`);
  return undefined;
}
