import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { AppRouter } from './router.js';

export type { AppRouter } from './router.js';

/** The admin plane with types: `client.keys.issue.mutate({ name: 'Acme EHR' })`. */
export type AdminClient = TRPCClient<AppRouter>;

export interface AdminClientOptions {
  /** Where the plane is, such as `http://127.0.0.1:8001`. */
  readonly url: string;
  readonly token: string;
  /** Who is asking, for the audit log: printable ASCII, up to 64 characters. */
  readonly user?: string;
}

export function createAdminClient({ url, token, user }: AdminClientOptions): AdminClient {
  const headers = { authorization: `Bearer ${token}`, ...(user === undefined ? {} : { 'x-admin-user': user }) };
  return createTRPCClient<AppRouter>({ links: [httpLink({ url, headers })] });
}
