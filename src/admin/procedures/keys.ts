import { z } from 'zod';
import { KEY_SCOPES, KEY_STATUSES, keyRecordSchema } from '../../keys/key-record.js';
import { USAGE_DAYS } from '../../keys/key-usage.js';
import type { AdminDeps } from '../deps.js';
import { OVERLAP_SECONDS } from '../limits.js';
import { procedure, router } from '../trpc.js';

const DAY_SECONDS = 86_400;
/** The most keys that one call lists. */
const KEYS_PAGE = 1000;

const { id, name, owner, scopes, expiresAt, rateLimitMax, disabled } = keyRecordSchema.shape;

const keyView = keyRecordSchema.omit({ secrets: true, revision: true }).extend({
  status: z.enum(KEY_STATUSES),
  overlapUntil: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});
/** The only response that contains a key's text. */
const issuedKey = keyView.extend({ key: z.string() });
const usageRow = z.object({ day: z.iso.date(), route: z.string(), requests: z.int().positive() });

const byId = z.strictObject({ id });
const issueInput = z.strictObject({
  name,
  owner: owner.default(''),
  scopes: scopes.default([...KEY_SCOPES]),
  expiresAt: expiresAt.default(null),
  rateLimitMax: rateLimitMax.default(null),
});
const updateInput = z.strictObject({
  id,
  name: z.exactOptional(name),
  owner: z.exactOptional(owner),
  scopes: z.exactOptional(scopes),
  expiresAt: z.exactOptional(expiresAt),
  rateLimitMax: z.exactOptional(rateLimitMax),
  disabled: z.exactOptional(disabled),
});
const rotateInput = z.strictObject({
  id,
  overlapSeconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS)
    .default(DAY_SECONDS)
    .describe(
      'How long the old text stays valid beside the new one. 0 ends all old texts at once; otherwise each keeps the time ' +
        'that an earlier rotation gave it.',
    ),
});
const listInput = z.strictObject({
  after: id.optional().describe('The last id of the previous page.'),
  limit: z.int().min(1).max(KEYS_PAGE).default(KEYS_PAGE),
});
const usageInput = z.strictObject({ id, days: z.int().min(1).max(USAGE_DAYS).default(30) });

/** The keys of the public API. Only `issue` and `rotate` return a key's text, once; it cannot be read again. */
export function keysRouter({ keys, usage, configuredKeys, keysChanged }: AdminDeps) {
  const effective = async <T>(change: Promise<T>): Promise<T> => {
    const changed = await change;
    await keysChanged();
    return changed;
  };
  return router({
    issue: procedure
      .input(issueInput)
      .output(issuedKey)
      .mutation(({ input, ctx }) => effective(keys.issue({ ...input, disabled: false }, ctx.actor))),
    list: procedure
      .input(listInput.prefault({}))
      .output(z.array(keyView))
      .query(({ input }) => keys.list(input)),
    get: procedure
      .input(byId)
      .output(keyView)
      .query(({ input }) => keys.get(input.id)),
    update: procedure
      .input(updateInput)
      .output(keyView)
      .mutation(({ input: { id: which, ...changes }, ctx }) => effective(keys.update(which, changes, ctx.actor))),
    rotate: procedure
      .input(rotateInput)
      .output(issuedKey)
      .mutation(({ input, ctx }) => effective(keys.rotate(input.id, input.overlapSeconds, ctx.actor))),
    revoke: procedure
      .input(byId)
      .output(keyView)
      .mutation(({ input, ctx }) => effective(keys.revoke(input.id, ctx.actor))),
    usage: procedure
      .input(usageInput)
      .output(z.array(usageRow))
      .query(async ({ input }) => {
        const rows = await usage.read(input.id, input.days);
        // Without usage, an unknown id is an error. A key that has left the configuration is known by its usage alone.
        if (rows.length === 0 && !configuredKeys.includes(input.id)) await keys.get(input.id);
        return rows;
      }),
  });
}
