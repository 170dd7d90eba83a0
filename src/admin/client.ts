import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import { DEADLINES, type Deadlines } from './deadlines.js';
import { createFetchWithin } from './fetch-within.js';
import type { AppRouter } from './router.js';

/** What calls reject with: of the very package that the client is made of, wherever that is installed. */
export { TRPCClientError } from '@trpc/client';
export { NoAnswerError } from './fetch-within.js';
export type { AppRouter } from './router.js';

/** The admin plane with types: `client.keys.issue.mutate({ name: 'Acme EHR' })`. */
export type AdminClient = TRPCClient<AppRouter>;

export interface AdminClientOptions {
  /** Where the plane is, such as `http://127.0.0.1:8001`. */
  readonly url: string;
  readonly token: string;
  /** Who is asking, for the audit log: printable ASCII, up to 64 characters. */
  readonly user?: string;
  /** How long answers are waited for. */
  readonly deadlines?: Deadlines;
}

/** A client that gives up what is not answered in time: a {@link TRPCClientError} whose cause is a {@link NoAnswerError}. */
export function createAdminClient({ url, token, user, deadlines = DEADLINES }: AdminClientOptions): AdminClient {
  const headers = { authorization: `Bearer ${token}`, ...(user === undefined ? {} : { 'x-admin-user': user }) };
  return createTRPCClient<AppRouter>({ links: [httpLink({ url, headers, fetch: createFetchWithin(deadlines) })] });
}
