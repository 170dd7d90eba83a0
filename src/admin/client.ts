import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import { isCallerName } from './caller-name.js';
import { DEADLINES, type Deadlines } from './deadlines.js';
import { createFetchWithin } from './fetch-within.js';
import type { AppRouter } from './router.js';

/** The error that calls reject with, exported from the very copy of the package that the client uses. */
export { TRPCClientError } from '@trpc/client';
export { CutOffError, NoAnswerError } from './fetch-within.js';
export type { AppRouter } from './router.js';

/** A typed client of the admin plane: `client.keys.issue.mutate({ name: 'Acme EHR' })`. */
export type AdminClient = TRPCClient<AppRouter>;

export interface AdminClientOptions {
  /** The plane's URL, such as `http://127.0.0.1:8001`. */
  readonly url: string;
  readonly token: string;
  /** The caller's name for the audit log: printable ASCII, up to 64 characters. */
  readonly user?: string;
  /** How long to wait for responses. */
  readonly deadlines?: Deadlines;
  /** Called when a change is about to be asked for. */
  readonly onChange?: () => void;
}

/**
 * Makes a client whose calls reject with a {@link TRPCClientError}. It is caused by a {@link NoAnswerError} if no answer came
 * in time, and by a {@link CutOffError} if the connection ended before the answer. Throws a RangeError if `user` is no name
 * that the audit log takes: its changes would be nobody's there.
 */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const { url, token, user, deadlines = DEADLINES, onChange = () => {} } = options;
  if (user !== undefined && !isCallerName(user)) {
    throw new RangeError('user must be 1 to 64 printable ASCII characters, as the audit log takes no other names');
  }
  const headers = { authorization: `Bearer ${token}`, ...(user === undefined ? {} : { 'x-admin-user': user }) };
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url, headers, fetch: createFetchWithin(deadlines, onChange) })],
  });
}
