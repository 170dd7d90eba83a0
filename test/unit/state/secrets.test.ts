import fs, { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretKeyText } from '../../../src/core/secret-key-text.js';
import { createSecretBox, SecretBoxError } from '../../../src/state/secret-box.js';
import { loadSecretKey } from '../../../src/state/secret-key.js';
import { StateError } from '../../../src/state/state-error.js';
import { failDisk, isOpenFile } from '../../support/failing-disk.js';
import { replaceCalls } from '../../support/replaced-calls.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const FILE = 'test.key';
const box = createSecretBox(Buffer.alloc(32, 1));

test('a sealed secret opens again, whatever characters it has', () => {
  for (const secret of ['s', 'ключ 🔑', 'x'.repeat(256)]) {
    expect(box.open(box.seal(secret, 'here'), 'here')).toBe(secret);
  }
  expect(box.seal('plain to see', 'here')).not.toContain('plain to see');
});

test('the same secret is sealed differently each time', () => {
  expect(box.seal('same', 'here')).not.toBe(box.seal('same', 'here'));
});

test('a known sealed secret opens, so that what is stored stays readable', () => {
  const sealed = 'v1.7bebbb69.wAdk9wvhSSPTZkh-hnGxuA9PpeRLofwsUgz17e0SksOxwVwkrtnoMcmS';
  expect(box.open(sealed, 'here')).toBe('a known secret');
});

test('a secret opens neither with another key nor for another record', () => {
  const sealed = box.seal('secret', 'here');
  const other = createSecretBox(Buffer.alloc(32, 2));
  expect(() => other.open(sealed, 'here')).toThrow(SecretBoxError);
  expect(() => box.open(sealed, 'there')).toThrow(SecretBoxError);
});

test('a sealed secret with any changed or missing character does not open', () => {
  // A length that fills its last base64 character: otherwise some of that one's bits mean nothing.
  const sealed = box.seal('8 bytes.', 'here');
  for (let index = 0; index < sealed.length; index++) {
    const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1);
    expect(() => box.open(changed, 'here'), changed).toThrow(SecretBoxError);
    expect(() => box.open(sealed.slice(0, index), 'here')).toThrow(SecretBoxError);
  }
  expect(() => box.open(`${sealed}.`, 'here')).toThrow(SecretBoxError);
});

test('a key of another length is refused', () => {
  expect(() => createSecretBox(Buffer.alloc(16))).toThrow(RangeError);
});

test('the key file is made once, for its owner alone, and leaves nothing else behind', () => {
  const directory = temporaryDirectory();
  const key = loadSecretKey(directory, FILE);
  expect(key).toHaveLength(32);
  expect(loadSecretKey(directory, FILE)).toEqual(key);
  expect(statSync(join(directory, FILE)).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual([FILE]);
  expect(loadSecretKey(temporaryDirectory(), FILE)).not.toEqual(key);
});

function refusal(directory: string): StateError {
  try {
    loadSecretKey(directory, FILE);
  } catch (error) {
    if (error instanceof StateError) return error;
    throw error;
  }
  throw new Error('a key was loaded');
}

test('a key file that others can use in any way is refused', () => {
  const directory = temporaryDirectory();
  loadSecretKey(directory, FILE);
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    chmodSync(join(directory, FILE), mode);
    expect(refusal(directory)).toMatchObject({ code: 'not-private', directory });
  }
});

test.each([
  ['file', (subject: unknown) => isOpenFile(subject)],
  ['place in its directory', (subject: unknown) => !isOpenFile(subject)],
])('no key is used whose %s is not on the disk: what it seals would be lost with it', (_, isFailing) => {
  const directory = temporaryDirectory();
  failDisk('fsyncSync', isFailing);
  expect(refusal(directory)).toMatchObject({ code: 'io-failed', directory });
});

test.each([
  ['is still starting', () => {}],
  ['has started', (directory: string) => void loadSecretKey(directory, FILE)],
])('of two processes that make a key at the same time, both use the first one’s, which %s', (_, goOn) => {
  const directory = temporaryDirectory();
  const { linkSync } = fs;
  replaceCalls({
    linkSync: (from, to) => {
      writeFileSync(to, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
      goOn(directory);
      linkSync(from, to);
    },
  });
  expect([...loadSecretKey(directory, FILE)]).toEqual(Array.from({ length: 32 }, () => 0xab));
  expect(readdirSync(directory)).toEqual([FILE]);
});

test('what a process has left that was killed while it made a key is removed, and no other file', () => {
  const directory = temporaryDirectory();
  for (const name of ['0123456789abcdef', 'bak', '0123456789abcdef.bak']) {
    writeFileSync(join(directory, `${FILE}.${name}`), '');
  }
  const key = loadSecretKey(directory, FILE);
  expect(readdirSync(directory).sort()).toEqual([FILE, `${FILE}.0123456789abcdef.bak`, `${FILE}.bak`]);
  writeFileSync(join(directory, `${FILE}.fedcba9876543210`), '');
  expect(loadSecretKey(directory, FILE)).toEqual(key);
  expect(readdirSync(directory)).toHaveLength(3);
});

test('a key file that holds something else is refused, and is not shown', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, FILE), 'hunter2', { mode: 0o600 });
  const error = refusal(directory);
  expect(error).toMatchObject({ code: 'corrupt', directory });
  expect(error.message).not.toContain('hunter2');
});

test('a key file that cannot be read is told as that, and not as a directory that cannot be written to', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, FILE), { mode: 0o700 });
  const detail = expect.stringMatching(/test\.key cannot be read \(EISDIR/);
  expect(refusal(directory)).toMatchObject({ code: 'io-failed', directory, detail });
});

test('a directory that is not there is refused', () => {
  expect(refusal(join(temporaryDirectory(), 'missing'))).toMatchObject({ code: 'not-writable' });
});

test('a key in a setting is 64 hexadecimal digits', () => {
  expect([...secretKeyText.parse('01'.repeat(32))]).toEqual(Array.from({ length: 32 }, () => 1));
  for (const text of ['', '01'.repeat(31), '0g'.repeat(32), ` ${'01'.repeat(32)}`]) {
    expect(secretKeyText.safeParse(text).success).toBe(false);
  }
});
