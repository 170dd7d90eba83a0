import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const MEASURED_PROCESS = new URL('../../dist/bench/lib/measured-process.js', import.meta.url);
const MEBIBYTE = 2 ** 20;

test('the peak memory of a measured process is its own, however much the bench uses', async () => {
  const { measureProcess }: typeof import('../../bench/lib/measured-process.js') = await import(
    fileURLToPath(MEASURED_PROCESS)
  );
  const script = join(temporaryDirectory(), 'script.mjs');
  writeFileSync(script, `console.log(Buffer.alloc(100 * ${MEBIBYTE}, 1).length);`);
  const much = Buffer.alloc(400 * MEBIBYTE, 1);
  const { stdout, peakRssBytes } = await measureProcess(script, []);
  expect(Number(stdout)).toBe(100 * MEBIBYTE);
  expect(peakRssBytes).toBeGreaterThan(100 * MEBIBYTE);
  expect(peakRssBytes).toBeLessThan(much.length);
});
