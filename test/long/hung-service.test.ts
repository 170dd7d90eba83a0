import { expect, onTestFinished, test } from 'vitest';
import { startAdministered } from '../support/administered-service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

// With the deadlines that people have; test/unit/admin/deadlines.test.ts has shorter ones.
test('a service that is stopped is given up by commands after some seconds, whatever they ask', async () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const service = await startAdministered(datasetsDir);
  onTestFinished(service.kill);
  service.signal('SIGSTOP');
  const hung = `the service at ${service.adminUrl} does not respond; it may be hung\n`;
  const [listed, rolledBack, issued] = await Promise.all([
    service.command('keys', 'list'),
    service.command('datasets', 'rollback', '--yes'),
    service.command('keys', 'issue', '--name', 'x'),
  ]);
  service.signal('SIGCONT');
  expect(listed).toMatchObject({ code: 1, stderr: `tract-context keys: ${hung}` });
  expect(rolledBack).toMatchObject({ code: 1, stderr: `tract-context datasets: ${hung}` });
  expect(issued).toMatchObject({ code: 1, stderr: expect.stringContaining('may carry out the command anyway') });
});
