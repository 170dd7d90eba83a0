import type { KeyIdentity } from '../../keys/key-identity.js';
import type { KeyScope } from '../../keys/key-record.js';
import { ApiError } from '../errors.js';

/** Throws `missing_scope` where a key is limited to other scopes. */
export function requireScope(key: KeyIdentity | undefined, scope: KeyScope): void {
  if (key?.scopes && !key.scopes.has(scope)) throw new ApiError('missing_scope', `Key lacks scope ${scope}.`);
}
