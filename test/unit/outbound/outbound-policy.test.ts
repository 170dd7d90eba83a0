import { describe, expect, test } from 'vitest';
import { hostOf } from '../../../src/core/web-url.js';
import { findUrlProblem } from '../../../src/outbound/outbound-policy.js';

const policy = { httpsOnly: false, allowedHosts: new Set<string>() };
const problemOf = (url: string, changes: Partial<typeof policy> = {}) =>
  findUrlProblem(new URL(url), { ...policy, ...changes });

const INSIDE = 'the address is not on the public internet';
const THIS_MACHINE = 'the host is this machine';

describe('a URL', () => {
  test.each([
    ['http://127.0.0.1/', INSIDE],
    ['http://127.1/', INSIDE],
    ['http://2130706433/', INSIDE],
    ['http://0x7f000001/', INSIDE],
    ['http://0x7f.0x0.0x0.0x1/', INSIDE],
    ['http://017700000001/', INSIDE],
    ['http://0177.0.0.01/', INSIDE],
    ['http://127.0.0.1./', INSIDE],
    ['http://１２７.０.０.１/', INSIDE],
    ['http://127。0。0。1/', INSIDE],
    ['http://%31%32%37.0.0.1/', INSIDE],
    ['http://0/', INSIDE],
    ['http://10.1.2.3:8080/', INSIDE],
    ['http://169.254.169.254/latest/meta-data/', INSIDE],
    ['http://[::1]/', INSIDE],
    ['http://[::]/', INSIDE],
    ['http://[::ffff:169.254.169.254]/', INSIDE],
    ['http://[0:0:0:0:0:ffff:7f00:1]/', INSIDE],
    ['http://[64:ff9b::a9fe:a9fe]/', INSIDE],
    ['http://[fd00:ec2::254]/', INSIDE],
    ['http://localhost/', THIS_MACHINE],
    ['http://LOCALHOST:9/', THIS_MACHINE],
    ['http://localhost./', THIS_MACHINE],
    ['http://a.localhost/', THIS_MACHINE],
    ['http://user@example.org/', 'user and password are not allowed in the URL'],
    ['http://:secret@example.org/', 'user and password are not allowed in the URL'],
    ['http://example.org:0/', 'there is no port 0'],
    ['ftp://example.org/', 'only http and https are allowed'],
    ['file:///etc/passwd', 'only http and https are allowed'],
  ])('%s is refused: %s', (url, problem) => {
    expect(problemOf(url)).toBe(problem);
  });

  test.each(['https://example.org/hook', 'http://example.org:8080/', 'http://1.1.1.1/', 'https://[2606:4700::1111]/'])(
    '%s is taken',
    (url) => expect(problemOf(url)).toBeUndefined(),
  );

  test('may be of http only where https is not all that is allowed', () => {
    expect(problemOf('http://example.org/', { httpsOnly: true })).toBe('only https is allowed');
    expect(problemOf('https://example.org/', { httpsOnly: true })).toBeUndefined();
  });

  test('may lead inside where its very host is named, in whatever notation', () => {
    const allowedHosts = new Set(['127.0.0.1', 'localhost', '::1']);
    for (const url of ['http://127.1:9000/', 'http://0x7f.1/', 'http://localhost./', 'http://[::1]:9000/']) {
      expect(problemOf(url, { allowedHosts }), url).toBeUndefined();
    }
    expect(problemOf('http://127.0.0.2/', { allowedHosts })).toBe(INSIDE);
    expect(problemOf('http://u:p@localhost/', { allowedHosts })).toBe('user and password are not allowed in the URL');
  });
});

test('a host is compared without brackets and the final dot', () => {
  expect(['http://[::1]/', 'http://example.org./', 'http://EXAMPLE.org/'].map((url) => hostOf(new URL(url)))).toEqual([
    '::1',
    'example.org',
    'example.org',
  ]);
});
