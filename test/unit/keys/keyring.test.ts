import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/keys/keyring.js';

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

test('a plain key and the digest of a key open alike', () => {
  const keyring = createKeyring(['alpha', `sha256:${sha256('beta').toString('hex').toUpperCase()}`]);
  expect(keyring.size).toBe(2);
  expect(keyring.identify('alpha')).toBeDefined();
  expect(keyring.identify('beta')).toBeDefined();
});

describe('what is no configured key opens nothing', () => {
  const digest = sha256('beta').toString('hex');
  const keyring = createKeyring(['alpha', `sha256:${digest}`]);
  test.each([
    '',
    'Alpha',
    'alph',
    'alpha ',
    'beta,alpha',
    digest,
    `sha256:${digest}`,
    'al\u0000pha',
    'ålpha',
    'a'.repeat(257),
  ])('%j', (presented) => {
    expect(keyring.identify(presented)).toBeUndefined();
  });
});

test('a text that cannot be a key opens nothing, even if its digest is configured', () => {
  for (const text of ['a'.repeat(257), 'al\u0000pha', 'ålpha']) {
    const keyring = createKeyring([`sha256:${sha256(text).toString('hex')}`]);
    expect(keyring.identify(text)).toBeUndefined();
  }
});

test('without keys nothing opens', () => {
  expect(createKeyring([]).identify('alpha')).toBeUndefined();
});

test('keys of the greatest length are keys', () => {
  const key = '~'.repeat(256);
  expect(createKeyring([key]).identify(key)).toBeDefined();
});

test('a key’s id is the same for key and digest, differs between keys, and holds no part of either', () => {
  const digest = sha256('alpha').toString('hex');
  const id = createKeyring(['alpha']).identify('alpha')?.id ?? '';
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(createKeyring([`sha256:${digest}`]).identify('alpha')?.id).toBe(id);
  expect(createKeyring(['beta']).identify('beta')?.id).not.toBe(id);
  expect(digest).not.toContain(id);
});

test('a connection’s key is looked up anew each time, and another key over the same connection is another key', () => {
  const connection = {};
  const keyring = createKeyring(['alpha', 'beta']);
  const [alpha, beta] = ['alpha', 'beta'].map((key) => keyring.identify(key));
  expect(alpha).not.toEqual(beta);
  for (const [key, identity] of [
    ['alpha', alpha],
    ['alpha', alpha],
    ['beta', beta],
    ['gamma', undefined],
    ['alpha', alpha],
  ] as const) {
    expect(keyring.identify(key, connection)).toEqual(identity);
  }
  expect(createKeyring(['beta']).identify('alpha', connection)).toBeUndefined();
});
