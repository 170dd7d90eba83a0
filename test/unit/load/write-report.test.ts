import fs, { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReportError, writeReport } from '../../../src/load/report/write-report.js';
import { replaceCalls } from '../../support/replaced-calls.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('a report that a full disk cuts off is removed', () => {
  const { writeFileSync } = fs;
  replaceCalls({
    writeFileSync: (path) => {
      writeFileSync(path, '{"tracts');
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
    },
  });
  const path = join(temporaryDirectory(), 'report.json');
  expect(() => writeReport(path, {})).toThrow(ReportError);
  expect(existsSync(path)).toBe(false);
});
