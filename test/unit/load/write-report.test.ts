import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ReportError, writeReport } from '../../../src/load/report/write-report.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('a report that a full disk cuts off is removed', () => {
  const { writeFileSync } = fs;
  onTestFinished(() => {
    fs.writeFileSync = writeFileSync;
    syncBuiltinESMExports();
  });
  fs.writeFileSync = (path) => {
    writeFileSync(path, '{"tracts');
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  };
  syncBuiltinESMExports();
  const path = join(temporaryDirectory(), 'report.json');
  expect(() => writeReport(path, {})).toThrow(ReportError);
  expect(existsSync(path)).toBe(false);
});
