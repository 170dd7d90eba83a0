import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.js';
import { ask, BEARER, startTestPlane } from '../../support/admin-plane.js';
import { selfSignedCertificate } from '../../support/certificates.js';

const load = (env: Record<string, string>) => loadConfig({ argv: [], env }).config;

test('with a certificate the plane speaks TLS, and nothing else', async () => {
  const tls = selfSignedCertificate();
  const { url } = await startTestPlane({ tls });
  expect(url).toMatch(/^https:/);
  const answer = await new Promise<string>((resolve, reject) => {
    get(`${url}/system.status`, { ca: tls.cert, headers: BEARER, agent: false }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });
  expect(JSON.parse(answer)).toMatchObject({ result: { data: { version: '1.2.3' } } });
  await expect(ask(url.replace('https', 'http'), { headers: BEARER })).rejects.toThrow();
});

test.each(['0.0.0.0', '::', '10.1.2.3', 'admin.example', '127.0.0.1.example'])(
  'refuses to listen on %s, which other machines can reach, without TLS or an explicit setting',
  (host) => {
    expect(() => load({ ADMIN_HOST: host })).toThrow(
      'set ADMIN_TLS_CERT and ADMIN_TLS_KEY, or ADMIN_ALLOW_PLAINTEXT=true',
    );
    expect(load({ ADMIN_HOST: host, ADMIN_ALLOW_PLAINTEXT: 'true' }).adminHost).toBe(host);
    expect(load({ ADMIN_HOST: host, ADMIN_TLS_CERT: 'a', ADMIN_TLS_KEY: 'b' }).adminHost).toBe(host);
  },
);

test.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost', '::ffff:127.0.0.1'])(
  'listens on %s, which only this machine can reach, without TLS',
  (host) => {
    expect(load({ ADMIN_HOST: host }).adminHost).toBe(host);
  },
);

test('rejects a certificate without its key, and a key without its certificate', () => {
  expect(() => load({ ADMIN_TLS_CERT: 'a' })).toThrow('ADMIN_TLS_CERT and ADMIN_TLS_KEY must be set together');
});
