import { hash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKEN_FILE } from '../state/own-files.js';
import { loadSecretKey } from '../state/secret-key.js';

/** The path of the token file that the service creates. */
export function adminTokenPath(stateDir: string): string {
  return join(stateDir, TOKEN_FILE);
}

/** The token in the state directory; created from 256 random bits, with mode 0600, if missing. Throws StateError. */
export function loadAdminToken(stateDir: string): string {
  return Buffer.from(loadSecretKey(stateDir, TOKEN_FILE)).toString('hex');
}

/** Reads the token that a service created, for a client on the same machine. Throws file system errors. */
export function readAdminToken(stateDir: string): string {
  return readFileSync(adminTokenPath(stateDir), 'utf8').trim().toLowerCase();
}

/** Returns a check whether an `Authorization` header carries the token, in constant time. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = hash('sha256', token, 'buffer');
  return (authorization = '') => {
    const [, presented = ''] = /^bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? [];
    return timingSafeEqual(hash('sha256', presented, 'buffer'), expected);
  };
}

/** Eight hexadecimal digits that tell tokens apart in the audit log and reveal nothing about the token. */
export function tokenFingerprint(token: string): string {
  return hash('sha256', `admin token\0${token}`).slice(0, 8);
}
