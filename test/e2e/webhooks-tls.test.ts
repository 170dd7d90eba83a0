import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { administer } from '../support/administered-service.js';
import { createAuthority, selfSignedCertificate } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { startFakeServer } from '../support/fake-server.js';
import { leftWith } from '../support/left-state.js';
import { startSecureReceiver } from '../support/secure-receiver.js';
import { startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

test('once only https is allowed, nothing more goes to a subscription that was made before; over TLS events go only to a host with a trusted certificate for its name', async () => {
  const directory = temporaryDirectory();
  const authority = createAuthority();
  writeFileSync(join(directory, 'authority.pem'), authority.cert);
  const datasetsDir = temporaryDirectory();
  const plain = await startFakeServer((response) => void response.writeHead(204).end());
  const stateDir = await leftWith(plain.url, publishTinyDataset(datasetsDir));
  const service = await administer(
    await startService(datasetsDir, {
      STATE_DIR: stateDir,
      NODE_EXTRA_CA_CERTS: join(directory, 'authority.pem'),
      WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
      WEBHOOK_HTTPS_ONLY: 'true',
    }),
  );
  onTestFinished(service.kill);

  const names = ['localhost'];
  const [named, numbered, misnamed, expired, unknown] = await Promise.all(
    [
      authority.issue({ names }),
      authority.issue({ names: ['127.0.0.1'] }),
      authority.issue({ names: ['hooks.example'] }),
      authority.issue({ names, endsInMs: -60_000 }),
      selfSignedCertificate({ names }),
    ].map(startSecureReceiver),
  );
  const authorities = [
    `localhost:${named?.port}`,
    `127.0.0.1:${numbered?.port}`,
    ...[misnamed, expired, unknown].map((receiver) => `localhost:${receiver?.port}`),
  ];
  for (const host of authorities) {
    const response = await service.fetch('/v1/webhooks', {
      method: 'POST',
      headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: `https://${host}/hook`, events: ['data.updated'] }),
    });
    expect(response.status).toBe(201);
  }
  // One tract has changed.
  publishTinyDataset(datasetsDir, 100);
  await service.admin.datasets.reload.mutate({});

  const lastOf = async (id: number) => (await service.admin.webhooks.attempts.query({ id })).recent[0];
  for (const id of [2, 3]) {
    await eventually(async () => expect(await lastOf(id)).toMatchObject({ status: 204, failure: null }));
  }
  for (const id of [4, 5, 6]) {
    const refused = { status: null, failure: 'certificate' };
    await eventually(async () => expect(await lastOf(id)).toMatchObject(refused));
  }
  await eventually(async () => expect(await lastOf(1)).toMatchObject({ event: 'data.updated', failure: 'refused' }));
  expect((await service.command('webhooks', 'attempts', '1')).stdout).toMatch(/data\.updated.*refused/);
  expect(plain.requests).toEqual([]);
  expect(named).toMatchObject({ serverNames: ['localhost'], hosts: [authorities[0]] });
  // An address is no server name (RFC 6066, 3).
  expect(numbered).toMatchObject({ serverNames: [], hosts: [authorities[1]] });
  for (const receiver of [misnamed, expired, unknown]) expect(receiver?.hosts).toEqual([]);
});
