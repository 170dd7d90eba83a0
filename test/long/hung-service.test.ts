import { expect, onTestFinished, test } from 'vitest';
import { runToEnd, startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

// With the deadlines that people have; test/unit/admin/deadlines.test.ts has shorter ones.
test('a service that is stopped is given up by commands after some seconds, whatever they ask', async () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const ADMIN_TOKEN = 'a-token-for-tests';
  const service = await startService(datasetsDir, { ADMIN_TOKEN });
  onTestFinished(service.kill);
  const ADMIN_URL = String((await service.logLine({ event: 'admin-listening' })).url);
  // Each in a process, as they wait at the same time.
  const command = (...args: string[]) => runToEnd(args, { ADMIN_URL, ADMIN_TOKEN });
  service.signal('SIGSTOP');
  const hung = `the service at ${ADMIN_URL} does not respond; it may be hung\n`;
  const [listed, rolledBack, issued] = await Promise.all([
    command('keys', 'list'),
    command('datasets', 'rollback', '--yes'),
    command('keys', 'issue', '--name', 'x'),
  ]);
  service.signal('SIGCONT');
  expect(listed).toMatchObject({ code: 1, stderr: `tract-context keys: ${hung}` });
  expect(rolledBack).toMatchObject({ code: 1, stderr: `tract-context datasets: ${hung}` });
  expect(issued).toMatchObject({ code: 1, stderr: expect.stringContaining('may carry out the command anyway') });
});
