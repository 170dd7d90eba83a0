import { PoolError } from '../pool/request.js';
import type { ValidationIssue } from './input/validation-issue.js';

/** The service's error codes and the status that each is answered with. */
export const ERROR_STATUS = {
  bad_request: 400,
  malformed_url: 400,
  missing_key: 401,
  invalid_key: 403,
  missing_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  body_too_large: 413,
  validation: 422,
  rate_limited: 429,
  headers_too_large: 431,
  // Never sent: whoever would read it went away. The number is nginx's.
  client_gone: 499,
  internal: 500,
  geocoder_unavailable: 502,
  no_dataset: 503,
  overloaded: 503,
  secrets_locked: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Seconds after which a client may try again what is answered 503. */
const RETRY_AFTER_SECONDS = '1';

/** An error that a client is told of. Everything in it is public. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    /** A sentence; for `validation` the list of what is wrong. */
    readonly detail: string | readonly ValidationIssue[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    // Where an expected error was made interests nobody, and to find out takes a fifth of a refused request's time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = ERROR_STATUS[code];
  }
}

/** An expected lack: it passes, and the client may come again. */
export function unavailable(code: 'no_dataset' | 'overloaded' | 'secrets_locked', detail: string): ApiError {
  return new ApiError(code, detail, { 'Retry-After': RETRY_AFTER_SECONDS });
}

/** What a client is told of any error that was thrown. Unknown ones become a 500 that says nothing. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof PoolError) return fromPool(error);
  if (isUndecodableParameter(error)) return new ApiError('malformed_url', 'The URL holds malformed percent-encoding.');
  return new ApiError('internal', 'Internal server error.');
}

/** Whoever comes now is told to come again. */
export const BUSY = unavailable('overloaded', 'The service is busy. Try again shortly.');

/** Whatever kept the threads from answering passes. */
function fromPool({ code }: PoolError): ApiError {
  if (code === 'client-gone') return new ApiError('client_gone', 'The client closed the connection.');
  return BUSY;
}

/** The router's own error for a path parameter such as `%ff`. Its message holds the parameter. */
function isUndecodableParameter(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400;
}
