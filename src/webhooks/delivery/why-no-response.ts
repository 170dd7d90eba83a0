import { RefusedAddressError } from '../../outbound/guarded-agent.js';
import type { NoResponse } from '../attempt.js';

/** Node's codes for certificate errors (https://nodejs.org/api/tls.html#x509-certificate-error-codes) and wrong names. */
const CERTIFICATE_ERROR =
  /^(?:CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;
/** What OpenSSL says of a host that does not speak TLS, or none that it accepts. */
const TLS_ERROR = /^(?:EPROTO$|ERR_SSL_)/;
const BY_CODE: ReadonlyMap<string, NoResponse> = new Map([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['EAI_NODATA', 'dns'],
  ['EAI_NONAME', 'dns'],
  ['ECONNREFUSED', 'port-closed'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
]);

/** What an error with which an attempt ended says of the receiver; `network` if it is none of the known ones. */
export function whyNoResponse(error: Error & { readonly code?: string }): NoResponse {
  if (error instanceof RefusedAddressError) return 'refused';
  const { code = '' } = error;
  if (CERTIFICATE_ERROR.test(code)) return 'certificate';
  return TLS_ERROR.test(code) ? 'tls' : (BY_CODE.get(code) ?? 'network');
}
