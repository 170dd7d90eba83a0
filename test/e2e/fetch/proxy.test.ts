import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../../../src/load/files/list-files.js';
import { startProxy } from '../../support/forward-proxy.js';
import { startOfficialServer } from '../../support/official-server.js';
import { runHere } from '../../support/run-here.js';
import { CENPOP, CENPOP_FILE, CENPOP_TEXT } from '../../support/small-downloads.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('fetch uses the proxy of the environment, and with --dry-run sends no request and writes nothing', async () => {
  const agencies = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
  const proxy = await startProxy(new URL(agencies.url).host);
  const output = join(temporaryDirectory(), 'raw');
  // A mirror that only the proxy finds.
  const args = ['fetch', '--output', output, '--sources', 'cenpop', '--from-mirror', 'http://mirror.invalid/'];
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: '' };
  const preview = await runHere([...args, '--dry-run'], env);
  expect(preview).toMatchObject({ code: 0, stderr: '' });
  expect(preview.stdout).toMatch(new RegExp(`^about 4\\.8 MiB +${CENPOP_FILE} +http://mirror.invalid/${CENPOP}$`, 'm'));
  expect(proxy.asked).toEqual([]);
  expect(() => listFiles(output)).toThrow();
  expect(await runHere(args, env)).toMatchObject({ code: 0 });
  expect(new Set(proxy.asked.map((host) => host.replace(/:80$/, '')))).toEqual(new Set(['mirror.invalid']));
  expect(readFileSync(join(output, CENPOP_FILE), 'utf8')).toBe(CENPOP_TEXT);
});
