import { expect, test } from 'vitest';
import { createAdminClient } from '../../../src/admin/client.js';
import { ADMIN_TOKEN, startTestPlane } from '../../support/admin-plane.js';
import { KEY_SETTINGS } from '../../support/keys.js';

test.each(['', 'Jürgen', '日本', 'a\nb', 'x'.repeat(65)])(
  '%j is refused as a user, not left out of the log',
  (user) => {
    expect(() => createAdminClient({ url: 'http://127.0.0.1:8001', token: ADMIN_TOKEN, user })).toThrow(
      new RangeError('user must be 1 to 64 printable ASCII characters, as the audit log takes no other names'),
    );
  },
);

test.each(['J', 'Juergen Mueller <jm@example.org>', 'x'.repeat(64)])('"%s" is a user, and in the log', async (user) => {
  const { url } = await startTestPlane();
  const client = createAdminClient({ url, token: ADMIN_TOKEN, user });
  await client.keys.issue.mutate({ name: KEY_SETTINGS.name });
  expect(await client.system.audit.query({ limit: 1 })).toMatchObject([{ actor: { name: user } }]);
});
