import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of real input files: `REAL_DATA_DIR`, else `../shared/data` beside the checkout. Undefined, told in one line,
 * where it is absent, so that tests on it can be skipped.
 */
export function realDataDir(testName: string): string | undefined {
  const dir = resolve(process.env.REAL_DATA_DIR ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data'));
  if (existsSync(join(dir, 'raw'))) return dir;
  console.log(`${testName}: skipped, no real data in ${dir} (set REAL_DATA_DIR)`);
  return undefined;
}
