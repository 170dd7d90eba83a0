import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/test/support/giving-way-program.js', import.meta.url));

test.runIf(process.platform === 'linux').each([3, 12, 19])(
  'deliveries give way to a service that was started with a low priority already, as far as that goes: nice %i',
  (by) => {
    const output = execFileSync('nice', ['-n', String(by), process.execPath, PROGRAM], { encoding: 'utf8' });
    const { before, after }: Record<string, number[]> = JSON.parse(output);
    const [niceness = 0] = before ?? [];
    expect(new Set(after)).toEqual(new Set([Math.min(19, niceness + 10)]));
  },
);
