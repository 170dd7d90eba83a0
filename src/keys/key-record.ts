import { z } from 'zod';
import { defineCollection } from '../state/store.js';

/** A key's possible scopes: querying data, and managing webhook subscriptions. */
export const KEY_SCOPES = ['read', 'webhooks'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The highest rate limit that a key may be given, in requests per window. */
export const MOST_REQUESTS = 1_000_000;

const time = z.iso.datetime();

/** The settings of a key that maintainers may change. */
export const keySettingsSchema = z.object({
  name: z.string().trim().min(1).max(200).describe('What the key is for, such as the name of a client.'),
  owner: z.string().trim().max(200).describe('The person or organization responsible for it; may be empty.'),
  scopes: z
    .array(z.enum(KEY_SCOPES))
    .min(1)
    // Repeated scopes count once.
    .overwrite((scopes) => [...new Set(scopes)])
    .describe('What it may do.'),
  expiresAt: time.nullable().describe('ISO 8601; null for never.'),
  rateLimitMax: z
    .int()
    .min(0)
    .max(MOST_REQUESTS)
    .nullable()
    .describe('Requests per window; 0 for no limit, null for the service’s own limit.'),
  disabled: z.boolean().describe('Whether it is refused for now; everything else about it stays.'),
});
export type KeySettings = z.output<typeof keySettingsSchema>;

/** The SHA-256 of a key's text, as 64 hexadecimal digits, and when the text expires; null: with the key itself. */
const secret = z.object({ sha256: z.string().length(64), validUntil: time.nullable() });

/** A key as it is stored, without its text. */
export const keyRecordSchema = z.object({
  /** 16 hexadecimal digits; ids sort by creation time. The id owns what the key owns, and survives rotations of the text. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  ...keySettingsSchema.shape,
  createdAt: time,
  rotatedAt: time.nullable(),
  revokedAt: time.nullable(),
  /** Newest first; the others were rotated out but stay valid until they expire. Empty once the key is revoked. */
  secrets: z.array(secret),
  /** The number of this key's last change, from a sequence that all keys share. */
  revision: z.int().positive(),
});
export type KeyRecord = z.output<typeof keyRecordSchema>;

/** Keys by id. */
export const keyRecords = defineCollection('api-keys', { key: z.tuple([z.string()]), value: keyRecordSchema });

/**
 * The id of the changed key by revision, one record per key: reading on from the last known revision finds all later
 * changes.
 */
export const keyRevisions = defineCollection('api-key-revisions', {
  key: z.tuple([z.int().positive()]),
  value: z.string(),
});

/** When a key was last used, to the minute. Kept apart from the key record, because it is written in the background. */
export const keyLastUses = defineCollection('api-key-last-uses', { key: z.tuple([z.string()]), value: time });

export const KEY_STATUSES = ['active', 'disabled', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export function keyStatus({ revokedAt, disabled, expiresAt }: KeyRecord, now: Date): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) return 'expired';
  return disabled ? 'disabled' : 'active';
}
