import type { KeyScope } from '../keys/key-record.js';
import type { KeyIdentity } from '../keys/keyring.js';
import { ApiError } from './errors.js';

/** Throws `missing_scope` where a key is limited to other scopes. */
export function requireScope(key: KeyIdentity | undefined, scope: KeyScope): void {
  if (key?.scopes && !key.scopes.has(scope)) throw new ApiError('missing_scope', `Key lacks scope ${scope}.`);
}
