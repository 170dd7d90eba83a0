import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAdminClient } from '../../../src/admin/client.js';
import { toCliError } from '../../../src/cli/admin/call-error.js';
import { createAuthority, selfSignedCertificate } from '../../support/certificates.js';

test('a server without TLS at an https URL is told as such', async () => {
  const server = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const error = await createAdminClient({ url, token: 'a-token-for-tests' })
    .system.status.query()
    .catch((thrown: unknown) => thrown);
  expect(toCliError(error, { url, tokenFrom: 'ADMIN_TOKEN' })).toMatchObject({
    message:
      `the admin plane cannot be reached at ${url}: the server there does not use TLS, so its URL begins with http://; ` +
      'check ADMIN_URL and ADMIN_PORT',
    exitCode: 1,
  });
});

test.each([
  ['of its own', () => selfSignedCertificate()],
  ['of an unknown authority', () => createAuthority().issue()],
])('with a certificate %s the variable that makes it trusted is named', async (_, certificate) => {
  const server = createTlsServer(certificate()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const error = await createAdminClient({ url, token: 'a-token-for-tests' })
    .system.status.query()
    .catch((thrown: unknown) => thrown);
  expect(toCliError(error, { url, tokenFrom: 'ADMIN_TOKEN' })).toMatchObject({
    message: expect.stringMatching(/cert.*; to trust it, name its file or its authority’s in NODE_EXTRA_CA_CERTS$/),
    exitCode: 1,
  });
});
