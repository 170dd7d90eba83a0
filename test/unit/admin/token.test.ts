import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adminTokenPath, loadAdminToken, readAdminToken, tokenFingerprint } from '../../../src/admin/token.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('a client reads the token that the service goes by, however it is written in the file', () => {
  const directory = temporaryDirectory();
  writeFileSync(adminTokenPath(directory), ` ${'0A'.repeat(32)}\n`, { mode: 0o600 });
  expect([loadAdminToken(directory), readAdminToken(directory)]).toEqual(['0a'.repeat(32), '0a'.repeat(32)]);
});

test('a token’s fingerprint is eight hexadecimal digits, and another token’s is another', () => {
  const fingerprints = ['one token', 'another token'].map(tokenFingerprint);
  for (const fingerprint of fingerprints) expect(fingerprint).toMatch(/^[0-9a-f]{8}$/);
  expect(new Set(fingerprints).size).toBe(2);
});
