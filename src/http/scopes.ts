import type { KeyIdentity } from '../keys/keyring.js';
import { ApiError } from './errors.js';

/** What a key may be limited to. */
export const SCOPES = ['webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

/** Throws `missing_scope` where a key is limited to other scopes. */
export function requireScope(key: KeyIdentity | undefined, scope: Scope): void {
  if (key?.scopes && !key.scopes.has(scope)) throw new ApiError('missing_scope', `Key lacks scope ${scope}.`);
}
