import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_FILE } from '../state/own-files.js';
import { loadSecretKey } from '../state/secret-key.js';

/** Where the token is that the service makes itself. */
export function adminTokenPath(stateDir: string): string {
  return join(stateDir, TOKEN_FILE);
}

/** The token in the state directory, made with 256 random bits and mode 0600 where there is none. Throws StateError. */
export function loadAdminToken(stateDir: string): string {
  return Buffer.from(loadSecretKey(stateDir, TOKEN_FILE)).toString('hex');
}

/** The token that a service has made there, for a client on the same machine. Throws what the file system says. */
export function readAdminToken(stateDir: string): string {
  return readFileSync(adminTokenPath(stateDir), 'utf8').trim().toLowerCase();
}

/** Tells whether an `Authorization` header carries the token, in the same time whatever it carries. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = sha256(token);
  return (authorization = '') => {
    const [, presented = ''] = /^bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? [];
    return timingSafeEqual(sha256(presented), expected);
  };
}

/** Eight digits that tell tokens apart in the audit log, and say nothing of the token. */
export function tokenFingerprint(token: string): string {
  return sha256(`admin token\0${token}`).toString('hex').slice(0, 8);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
