import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAdminClient } from '../../../src/admin/client.js';
import { toCliError } from '../../../src/cli/admin/call-error.js';
import { createAuthority, selfSignedCertificate } from '../../support/certificates.js';

/** What a command says of a listening server at a URL with this scheme. */
async function askAt(scheme: 'http' | 'https', server: Server): Promise<{ url: string; error: unknown }> {
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `${scheme}://127.0.0.1:${port}`;
  const thrown = await createAdminClient({ url, token: 'a-token-for-tests' })
    .system.status.query()
    .catch((error: unknown) => error);
  return { url, error: toCliError(thrown, { url, tokenFrom: 'ADMIN_TOKEN' }) };
}

test('a server without TLS at an https URL is told as such', async () => {
  const server = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1');
  const { url, error } = await askAt('https', server);
  expect(error).toMatchObject({
    message:
      `the admin plane cannot be reached at ${url}: the server there does not use TLS, so its URL begins with http://; ` +
      'check ADMIN_URL and ADMIN_PORT',
    exitCode: 1,
  });
});

test('where a server cuts off an http URL, that of TLS is told', async () => {
  const server = createTlsServer(selfSignedCertificate()).listen(0, '127.0.0.1');
  const { error } = await askAt('http', server);
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /; if it still runs, check ADMIN_URL and ADMIN_PORT: with TLS, its URL begins with https:\/\/$/,
    ),
    exitCode: 1,
  });
});

test.each([
  ['of its own', () => selfSignedCertificate()],
  ['of an unknown authority', () => createAuthority().issue()],
])('with a certificate %s the variable that makes it trusted is named', async (_, certificate) => {
  const server = createTlsServer(certificate()).listen(0, '127.0.0.1');
  const { error } = await askAt('https', server);
  expect(error).toMatchObject({
    message: expect.stringMatching(/cert.*; to trust it, name its file or its authority’s in NODE_EXTRA_CA_CERTS$/),
    exitCode: 1,
  });
});
