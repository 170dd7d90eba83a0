import { TRPCClientError } from '@trpc/client';
import { CutOffError, NoAnswerError } from '../../admin/fetch-within.js';
import type { AppRouter } from '../../admin/router.js';
import { printable } from '../../core/printable.js';
import { systemCode } from '../../core/system-code.js';
import { CliError } from '../cli-error.js';
import type { Connection } from './connect.js';

/** No connection to the admin plane came about: as far as can be known, no service runs. */
export class UnreachableError extends CliError {
  constructor(
    /** The message without the question that only a command needs which must have a service. */
    readonly problem: string,
  ) {
    super(`${problem}; is the service running?`, 1);
  }
}

/** Errors that leave a connection unmade. After any other, something is at the address, and what it is must be told. */
const UNCONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Turns a failed call of an admin procedure, in transport or at the plane, into a `CliError`. Other errors are returned as
 * they are.
 */
export function toCliError(error: unknown, { url, tokenFrom }: Pick<Connection, 'url' | 'tokenFrom'>): unknown {
  if (!(error instanceof TRPCClientError)) return error;
  if (error.cause instanceof NoAnswerError) return unanswered(error.cause, url);
  if (error.cause instanceof CutOffError) return cutOff(error.cause, url);
  const { data, message }: TRPCClientError<AppRouter> = error;
  if (!data) {
    // A response without JSON ends in a syntax error.
    if (error.meta?.response !== undefined || error.cause instanceof SyntaxError)
      return new CliError(`the server at ${url} is not an admin plane; check ADMIN_URL and ADMIN_PORT`, 1);
    const cause = innermostCause(error);
    const code = systemCode(cause);
    const problem = `the admin plane cannot be reached at ${url}: ${reasonOf(cause)}`;
    return code !== undefined && UNCONNECTED.has(code)
      ? new UnreachableError(problem)
      : new CliError(`${problem}; ${adviceFor(code)}`, 1);
  }
  if (data.code === 'UNAUTHORIZED')
    return new CliError(
      `the admin plane at ${url} refused the token from ${tokenFrom}; the service keeps the one that it started with`,
      1,
    );
  // With a reason, a key or a subscription was not found; without one, the procedure itself, as where the URL has a path.
  if (data.code === 'NOT_FOUND' && !data.reason)
    return new CliError(`the server at ${url} does not know this command; check ADMIN_URL (${printable(message)})`, 1);
  return new CliError(printable(message), data.reason === 'invalid-input' ? 2 : 1);
}

/** The error for a service that accepts connections but does not respond. */
function unanswered({ mayBeDone }: NoAnswerError, url: string): CliError {
  return new CliError(`the service at ${url} does not respond; it may be hung${caution(mayBeDone)}`, 1);
}

/** The error for a service that ends during the call. A server that does not speak the URL's protocol does the same. */
function cutOff(error: CutOffError, url: string): CliError {
  const problem = `the service at ${url} ended before it answered (${reasonOf(innermostCause(error))})`;
  const withTls = url.startsWith('http:') ? ': with TLS, its URL begins with https://' : '';
  const advice = `if it still runs, check ADMIN_URL and ADMIN_PORT${withTls}`;
  return new CliError(`${problem}; ${advice}${caution(error.mayBeDone)}`, 1);
}

function caution(mayBeDone: boolean): string {
  return mayBeDone ? '\nThe service may carry out the command anyway; check before you repeat it.' : '';
}

/** Errors of a certificate that may be the right one, but whose issuer this machine does not know. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function adviceFor(code: string | undefined): string {
  return code !== undefined && UNTRUSTED.has(code)
    ? 'to trust it, name its file or its authority’s in NODE_EXTRA_CA_CERTS'
    : 'check ADMIN_URL and ADMIN_PORT';
}

/** What OpenSSL says of a server that answers without TLS is only for those who know its source. */
const NO_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';

/** If none of a name's several addresses responds, the error has only a code and no message. */
function reasonOf(cause: Error): string {
  if (systemCode(cause) === NO_TLS) return 'the server there does not use TLS, so its URL begins with http://';
  return printable(cause.message || (systemCode(cause) ?? cause.name));
}

/** The cause of an error of `fetch`, such as a refused connection: `fetch failed` alone says nothing. */
function innermostCause(error: Error): Error {
  return error.cause instanceof Error ? innermostCause(error.cause) : error;
}
