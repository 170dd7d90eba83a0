import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from 'tract-context/admin';

/** Gives a client its key for 90 days, and shows what the service answers from. */
export async function welcome(url: string, token: string, name: string): Promise<string> {
  const admin = createTRPCClient<AppRouter>({
    links: [httpLink({ url, headers: { authorization: `Bearer ${token}` } })],
  });
  const { live } = await admin.datasets.current.query();
  console.log(`Live: ${live?.generation ?? 'nothing'}, ${live?.tracts ?? 0} tracts`);

  const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString();
  const { id, key } = await admin.keys.issue.mutate({ name, expiresAt, rateLimitMax: 600 });
  console.log(`Issued ${id}; its text is shown only now`);

  const [latest] = await admin.system.audit.query({ limit: 1 });
  console.log(`In the log: ${latest?.action} at ${latest?.at}`);
  return key;
}
