import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../../src/cli/commands/datasets.js';
import { sendJson, startFakeServer } from '../../support/fake-server.js';

afterEach(() => vi.unstubAllEnvs());

/** What a command prints, and its exit code, where the service answers the call with this. */
async function answered(data: unknown, ...args: string[]) {
  const { url } = await startFakeServer((response) => sendJson(response, { result: { data } }));
  vi.stubEnv('ADMIN_TOKEN', 'a-token-for-tests');
  const said = { stdout: '', stderr: '' };
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text: unknown, ...more: unknown[]) => {
    said.stdout += String(text);
    for (const told of more) if (typeof told === 'function') told();
    return true;
  });
  const warned = vi.spyOn(console, 'error').mockImplementation((text) => {
    said.stderr += String(text);
  });
  onTestFinished(() => {
    written.mockRestore();
    warned.mockRestore();
  });
  return { code: await run([...args, '--admin-url', url]), ...said };
}

test('the answer of a service of another version is shown as it is, since what was asked for is done', async () => {
  const removed = { deleted: ['ab'.repeat(16)] };
  const { code, stdout, stderr } = await answered(removed, 'prune', '--yes');
  expect(JSON.parse(stdout)).toEqual(removed);
  expect(stderr).toMatch(/^tract-context datasets prune: the service has answered in a form that this program/);
  expect(code).toBe(1);
});

test('as JSON any answer is shown as it is', async () => {
  const removed = { deleted: ['ab'.repeat(16)] };
  const { code, stdout, stderr } = await answered(removed, 'prune', '--yes', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(removed);
});
