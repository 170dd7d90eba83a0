import type { AdminClient } from '../../admin/client.js';
import { describeProblem } from '../../admin/input-problems.js';
import { OVERLAP_SECONDS } from '../../admin/limits.js';
import { KEY_SCOPES, KEY_STATUSES, keySettingsSchema, MOST_REQUESTS } from '../../keys/key-record.js';
import type { IssuedKey } from '../../keys/key-registry.js';
import { REFUSED_ROUTE, UNKNOWN_ROUTE, USAGE_DAYS } from '../../keys/key-usage.js';
import type { KeyView } from '../../keys/key-view.js';
import { defineAction } from '../admin/action.js';
import { dispatch } from '../admin/dispatch.js';
import { parseDurationSeconds, parseExpiry } from '../admin/duration.js';
import { parseKeyId } from '../admin/key-id.js';
import { shownText } from '../admin/shown-text.js';
import { formatFields, formatRows } from '../admin/table.js';
import { parseWholeNumber } from '../admin/whole-number.js';
import { CliError } from '../cli-error.js';

const SETTINGS = {
  name: { type: 'string' },
  owner: { type: 'string' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
  'rate-limit': { type: 'string' },
} as const;

const SETTINGS_USAGE = `  --name <text>       what the key is for
  --owner <text>      person or organization responsible for the key
  --scopes <list>     what the key may do: ${KEY_SCOPES.join(',')}
  --expires <when>    such as 90d, 2027-01-31 (start of that day, UTC), 2027-01-31T10:00Z or never
  --rate-limit <n>    requests per window; 0 for no limit, default for the service’s own limit`;

const DAY_SECONDS = 86_400;
const LONGEST_OVERLAP = `${OVERLAP_SECONDS / DAY_SECONDS}d`;

const KEY_ID = { name: 'key id', required: true } as const;

const issue = defineAction({
  summary: 'create a key; its text is shown only once',
  usage: `--name <text> [options]\n\n${SETTINGS_USAGE}`,
  options: SETTINGS,
  read: (values) => {
    const { name, ...settings } = readSettings(values);
    if (name === undefined) throw new CliError('--name is required', 2);
    return { ...settings, name };
  },
  call: (client, input) => client.keys.issue.mutate(input),
  show: showIssued,
  ifLost: describeLost,
});

const list = defineAction({
  summary: 'list all keys, oldest first',
  usage: `[options]\n\n  --owner <text>      only keys of this owner\n  --status <status>   only keys with this status: ${KEY_STATUSES.join(', ')}`,
  options: { owner: { type: 'string' }, status: { type: 'string' } },
  read: ({ owner, status }) => ({
    owner,
    status: status === undefined ? undefined : readWord('--status', 'status', status, KEY_STATUSES),
  }),
  call: async (client, { owner, status }) => {
    const keys = await allKeys(client);
    return keys.filter((key) => (owner ?? key.owner) === key.owner && (status ?? key.status) === key.status);
  },
  show: (keys) =>
    formatRows(
      ['ID', 'NAME', 'OWNER', 'STATUS', 'SCOPES', 'LIMIT', 'EXPIRES', 'LAST USED'],
      keys.map(({ id, name, owner, status, scopes, rateLimitMax, expiresAt, lastUsedAt }) => [
        id,
        name,
        owner,
        status,
        scopes,
        rateLimitMax,
        expiresAt,
        lastUsedAt,
      ]),
    ),
});

const get = defineAction({
  summary: 'show one key',
  usage: '<id> [options]',
  argument: KEY_ID,
  options: {},
  read: readById,
  call: (client, input) => client.keys.get.query(input),
  show: formatFields,
});

const UPDATABLE = `give one or more of ${Object.keys(SETTINGS)
  .map((name) => `--${name}`)
  .join(', ')}, --disable, --enable`;

const update = defineAction({
  summary: 'change a key, or disable it temporarily',
  usage: `<id> [options]\n\n${SETTINGS_USAGE}\n  --disable           refuse the key until it is enabled again\n  --enable            accept the key again`,
  argument: KEY_ID,
  options: { ...SETTINGS, disable: { type: 'boolean' }, enable: { type: 'boolean' } },
  read: (values, id) => {
    const { disable, enable } = values;
    if (disable && enable) throw new CliError('give either --disable or --enable, not both', 2);
    const disabled = disable ? { disabled: true } : enable ? { disabled: false } : {};
    const changes = { ...readSettings(values), ...disabled };
    if (Object.keys(changes).length === 0) throw new CliError(`nothing to change: ${UPDATABLE}`, 2);
    return { id: parseKeyId(id), ...changes };
  },
  call: (client, input) => client.keys.update.mutate(input),
  show: formatFields,
});

const rotate = defineAction({
  summary: 'give a key a new text; the old one stays valid for a while',
  usage: `<id> [options]

  --overlap <time>    how long the old text stays valid, such as 7d, at most ${LONGEST_OVERLAP};
                      0 to end it at once (default 24h)`,
  note: 'Older texts keep the time that earlier rotations gave them, unless the overlap is 0.',
  argument: KEY_ID,
  options: { overlap: { type: 'string', default: '24h' } },
  read: ({ overlap }, id) => ({ id: parseKeyId(id), overlapSeconds: readOverlap(overlap) }),
  question: ({ id, overlapSeconds }) =>
    overlapSeconds === 0 ? `The current text of key ${id} and all older ones will stop working at once.` : undefined,
  call: (client, input) => client.keys.rotate.mutate(input),
  show: showIssued,
  ifLost: describeLost,
});

const revoke = defineAction({
  summary: 'revoke a key permanently',
  usage: '<id> [options]',
  argument: KEY_ID,
  options: {},
  read: readById,
  question: ({ id }) => `Key ${id} will be revoked permanently.`,
  call: (client, input) => client.keys.revoke.mutate(input),
  show: ({ id, name }) => [`Revoked ${id} (${name}).`],
});

const usage = defineAction({
  summary: 'show requests by day and route',
  usage: `<id> [options]\n\n  --days <n>          number of days to show, at most ${USAGE_DAYS} (default 30)`,
  note: [
    `${REFUSED_ROUTE} counts requests that were refused before routing, for example over the key’s rate limit (429).`,
    `${UNKNOWN_ROUTE} counts requests to paths that do not exist (404).`,
  ].join('\n'),
  argument: KEY_ID,
  options: { days: { type: 'string', default: '30' } },
  read: ({ days }, id) => ({
    id: parseKeyId(id),
    days: parseWholeNumber('--days', days, { min: 1, max: USAGE_DAYS }),
  }),
  call: (client, input) => client.keys.usage.query(input),
  show: (rows) =>
    formatRows(
      ['DAY', 'ROUTE', 'REQUESTS'],
      rows.map(({ day, route, requests }) => [day, route, requests]),
    ),
});

/** `keys`: manages the public API's keys over the admin plane of a running service. */
export async function run(args: string[]): Promise<number> {
  return await dispatch('keys', { issue, list, get, update, rotate, revoke, usage }, args);
}

function showIssued({ key, ...rest }: IssuedKey): string[] {
  return [key, '', 'Store this key now: it is not shown again.', ...formatFields(rest)];
}

function describeLost({ id }: IssuedKey): string {
  return `the text of key ${id} could not be printed and is lost: "keys rotate ${id}" makes another, "keys revoke ${id}" ends the key`;
}

/** Reads only the settings that were given. Throws `CliError`. */
function readSettings(values: { readonly [Name in keyof typeof SETTINGS]?: string | undefined }) {
  const { name, owner, scopes, expires, 'rate-limit': limit } = values;
  return {
    ...(name === undefined ? {} : { name: readText('--name', 'name', name) }),
    ...(owner === undefined ? {} : { owner: readText('--owner', 'owner', owner) }),
    ...(scopes === undefined
      ? {}
      : { scopes: scopes.split(',').map((scope) => readWord('--scopes', 'scope', scope.trim(), KEY_SCOPES)) }),
    ...(expires === undefined ? {} : { expiresAt: parseExpiry('--expires', expires, new Date()) }),
    ...(limit === undefined ? {} : { rateLimitMax: limit === 'default' ? null : readRateLimit(limit) }),
  };
}

async function allKeys(client: AdminClient): Promise<KeyView[]> {
  const keys: KeyView[] = [];
  for (;;) {
    const page = await client.keys.list.query({ after: keys.at(-1)?.id });
    if (page.length === 0) return keys;
    keys.push(...page);
  }
}

/** Reads one of some words, each of which is a `kind`. Throws `CliError`. */
function readWord<T extends string>(option: string, kind: string, text: string, words: readonly T[]): T {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw new CliError(`${option}: ${shownText(text)} is not a ${kind}; choose from ${words.join(', ')}`, 2);
}

/** Validates a key's name or owner. Throws `CliError`. */
function readText(option: string, setting: 'name' | 'owner', text: string): string {
  const { success, data, error } = keySettingsSchema.shape[setting].safeParse(text);
  if (success) return data;
  throw new CliError(`${option}: ${error.issues.map(describeProblem).join('; ')}`, 2);
}

function readRateLimit(text: string): number {
  return parseWholeNumber('--rate-limit', text, { min: 0, max: MOST_REQUESTS, or: 'default' });
}

function readOverlap(text: string): number {
  const seconds = text === '0' ? 0 : parseDurationSeconds('--overlap', text);
  if (seconds <= OVERLAP_SECONDS) return seconds;
  throw new CliError(`--overlap: ${text} is too long; the maximum is ${LONGEST_OVERLAP}`, 2);
}

function readById(_values: unknown, id: string): { id: string } {
  return { id: parseKeyId(id) };
}
