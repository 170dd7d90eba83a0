import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { get } from 'node:https';
import { connect as connectPlainly } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAdminPlane } from '../../../src/admin/plane.js';
import { followCertificate, readCertificate } from '../../../src/compose/admin-certificate.js';
import { loadConfig } from '../../../src/config.js';
import { deferred } from '../../../src/core/deferred.js';
import { ADMIN_TOKEN, adminDeps, ask, BEARER, startTestPlane } from '../../support/admin-plane.js';
import { selfSignedCertificate } from '../../support/certificates.js';
import { openKeyWorld } from '../../support/keys.js';
import { listenLocally } from '../../support/listen-locally.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const load = (env: Record<string, string>) => loadConfig({ argv: [], env }).config;

test.each([
  ['TLS', { tls: selfSignedCertificate() }],
  ['plain HTTP', {}],
])('a client that connects and says nothing is disconnected soon: %s', async (_, speaking) => {
  const { url } = await startTestPlane({ ...speaking, headersTimeoutMs: 100 });
  const socket = connectPlainly(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  // A refusal is read, since the connection ends only after it.
  await once(socket.resume(), 'close', { signal: AbortSignal.timeout(4000) });
});

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

/** The fingerprint of the certificate that a new connection is shown. */
async function shownAt(url: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

const fingerprintOf = ({ cert }: { readonly cert: string }): string => new X509Certificate(cert).fingerprint256;

/** A plane at an address that another server has until `free` is called. */
async function openWaitingPlane(tls: ReturnType<typeof selfSignedCertificate>) {
  const holder = createServer();
  const port = await listenLocally(holder);
  const world = await openKeyWorld();
  const listening = deferred<string>();
  const events = { refused: vi.fn(), failed: vi.fn(), diskFull: vi.fn() };
  const waiting = { onListening: listening.resolve, onUnavailable: () => {}, retryMs: 1 };
  const options = { host: '127.0.0.1', port, token: ADMIN_TOKEN, hostNames: [], events, tls, ...waiting };
  const plane = openAdminPlane(adminDeps(world), options);
  onTestFinished(async () => {
    await plane.close(0);
    await world.close();
  });
  return { plane, listening: listening.promise, free: () => holder.close() };
}

test('a renewed certificate is shown to new connections, also where it came before the plane could listen', async () => {
  const [first, second, third] = [selfSignedCertificate(), selfSignedCertificate(), selfSignedCertificate()];
  const { plane, listening, free } = await openWaitingPlane(first);
  await plane.attempted;
  plane.takeCertificate(second);
  free();
  const url = await listening;
  expect(await shownAt(url)).toBe(fingerprintOf(second));
  plane.takeCertificate(third);
  expect(await shownAt(url)).toBe(fingerprintOf(third));
});

test('an unusable certificate or key is told of with its setting and its file', () => {
  const directory = temporaryDirectory();
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const empty = join(directory, 'empty.pem');
  writeFileSync(cert, selfSignedCertificate().cert);
  writeFileSync(key, 'no key');
  writeFileSync(empty, '');
  const read = (files: object) => () => readCertificate({ adminTlsCert: cert, adminTlsKey: key, ...files });
  expect(read({ adminTlsCert: directory })).toThrow(`ADMIN_TLS_CERT, ${directory}: EISDIR`);
  expect(read({ adminTlsCert: key })).toThrow(`ADMIN_TLS_CERT, ${key}: `);
  expect(read({})).toThrow(`ADMIN_TLS_KEY, ${key}: `);
  expect(read({ adminTlsCert: empty })).toThrow(`ADMIN_TLS_CERT, ${empty}: the file is empty`);
  expect(read({ adminTlsKey: empty })).toThrow(`ADMIN_TLS_KEY, ${empty}: the file is empty`);
});

test('certificate and key are read again each minute; files that do not fit together are told of once and change nothing', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const directory = temporaryDirectory();
  const files = { adminTlsCert: join(directory, 'cert.pem'), adminTlsKey: join(directory, 'key.pem') };
  const [former, renewed] = [selfSignedCertificate(), selfSignedCertificate()];
  const write = ({ cert, key }: typeof former): void => {
    writeFileSync(files.adminTlsCert, cert);
    writeFileSync(files.adminTlsKey, key);
  };
  write(former);
  const events = { renewed: vi.fn(), refused: vi.fn(), late: vi.fn() };
  onTestFinished(followCertificate(files, readCertificate(files), events));
  const minutes = (count: number): void => void vi.advanceTimersByTime(count * 60_000);
  minutes(3);
  expect(events.renewed).not.toHaveBeenCalled();
  write({ ...former, cert: renewed.cert });
  minutes(3);
  expect(events.refused).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining(`ADMIN_TLS_KEY, ${files.adminTlsKey}: `),
  );
  expect(events.renewed).not.toHaveBeenCalled();
  write(renewed);
  minutes(3);
  const expires = new Date(new X509Certificate(renewed.cert).validTo).toISOString();
  expect(events.renewed).toHaveBeenCalledExactlyOnceWith(renewed, expires);
  expect(events.refused).toHaveBeenCalledOnce();
});

/** Files of a certificate, and ways to write another that ends in some hours, and to let some hours pass. */
function certificateFiles() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const directory = temporaryDirectory();
  const files = { adminTlsCert: join(directory, 'cert.pem'), adminTlsKey: join(directory, 'key.pem') };
  const write = (hours: number): void => {
    const { cert, key } = selfSignedCertificate({ endsInMs: hours * 3_600_000 });
    writeFileSync(files.adminTlsCert, cert);
    writeFileSync(files.adminTlsKey, key);
  };
  const later = (hours: number): void => {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    vi.advanceTimersByTime(60_000);
  };
  return { files, write, later };
}

test('what was told of once is told of anew: files that are broken again, and another certificate that ends soon', () => {
  const { files, write, later } = certificateFiles();
  write(2);
  const events = { renewed: vi.fn(), refused: vi.fn(), late: vi.fn() };
  onTestFinished(followCertificate(files, readCertificate(files), events));
  for (const times of [1, 2]) {
    writeFileSync(files.adminTlsKey, '');
    later(0);
    later(0);
    expect(events.refused).toHaveBeenCalledTimes(times);
    expect(events.late).toHaveBeenCalledTimes(times);
    write(2);
    later(0);
    expect(events.late).toHaveBeenCalledTimes(times + 1);
  }
});

test('a certificate of many months should have been renewed when two weeks of it are left', () => {
  const { files, write, later } = certificateFiles();
  write(400 * 24);
  const late = vi.fn();
  onTestFinished(followCertificate(files, readCertificate(files), { renewed: vi.fn(), refused: vi.fn(), late }));
  later(385 * 24);
  expect(late).not.toHaveBeenCalled();
  later(24);
  expect(late).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ isValid: true }));
});

test('a certificate that should have been renewed, or has expired, is told of at once and then each day', () => {
  const { files, write, later } = certificateFiles();
  write(-1);
  const events = { renewed: vi.fn(), refused: vi.fn(), late: vi.fn() };
  onTestFinished(followCertificate(files, readCertificate(files), events));
  const toldLast = () => [events.late.mock.calls.length, events.late.mock.lastCall?.[0].isValid];
  expect(toldLast()).toEqual([1, false]);
  later(12);
  expect(toldLast()).toEqual([1, false]);
  later(13);
  expect(toldLast()).toEqual([2, false]);
  // It is valid for 240 hours before now and these.
  write(260);
  later(200);
  expect(toldLast()).toEqual([2, false]);
  later(30);
  expect(toldLast()).toEqual([3, true]);
  later(5);
  expect(toldLast()).toEqual([3, true]);
  later(60);
  expect(toldLast()).toEqual([4, false]);
  expect(events.refused).not.toHaveBeenCalled();
});
