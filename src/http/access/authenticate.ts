import type { IncomingMessage } from 'node:http';
import type { KeyIdentity } from '../../keys/key-identity.js';
import type { Keyring } from '../../keys/keyring.js';
import { DETAILS } from '../error-details.js';
import { ApiError } from '../errors.js';

/** A 401 must name a scheme (RFC 9110, 15.5.2): some HTTP libraries report one without as a failed connection. */
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey' };

/** Identifies the owner of a request's key. Throws `missing_key` or `invalid_key`. */
export function authenticate(request: IncomingMessage, keyring: Keyring): KeyIdentity {
  const presented = request.headers['x-api-key'];
  if (presented === undefined || presented === '') throw new ApiError('missing_key', DETAILS.missingKey, CHALLENGE);
  const identity = typeof presented === 'string' ? keyring.identify(presented, request.socket) : undefined;
  if (!identity) throw new ApiError('invalid_key', DETAILS.invalidKey);
  return identity;
}
