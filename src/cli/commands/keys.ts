import { printable } from '../../core/printable.js';
import { isKeyScope, KEY_SCOPES, type KeyScope } from '../../keys/key-record.js';
import type { IssuedKey } from '../../keys/key-registry.js';
import type { KeyView } from '../../keys/key-view.js';
import { defineAction } from '../admin/action.js';
import { dispatch } from '../admin/dispatch.js';
import { parseDurationSeconds, parseExpiry } from '../admin/duration.js';
import { formatFields, formatRows } from '../admin/table.js';
import { CliError } from '../cli-error.js';

const SETTINGS = {
  name: { type: 'string' },
  owner: { type: 'string' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
  'rate-limit': { type: 'string' },
} as const;

const SETTINGS_USAGE = `  --name <text>       what the key is for
  --owner <text>      who answers for it
  --scopes <list>     what it is allowed: ${KEY_SCOPES.join(',')}
  --expires <when>    such as 90d, 2027-01-31 or never
  --rate-limit <n>    requests a window; 0 for any number, default for the service’s own number`;

const KEY_ID = { name: 'key id', required: true } as const;

const issue = defineAction({
  summary: 'make a key; its text is shown once',
  usage: `--name <text> [options]\n\n${SETTINGS_USAGE}`,
  options: SETTINGS,
  call: async (client, values) => {
    const { name } = values;
    if (name === undefined) throw new CliError('--name is needed', 2);
    return await client.keys.issue.mutate({ ...readSettings(values), name });
  },
  show: showIssued,
});

const list = defineAction({
  summary: 'all keys, the oldest first',
  usage: '[options]',
  options: {},
  call: async (client) => {
    const keys: KeyView[] = [];
    for (;;) {
      const page = await client.keys.list.query({ after: keys.at(-1)?.id });
      if (page.length === 0) return keys;
      keys.push(...page);
    }
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
  summary: 'one key',
  usage: '<id> [options]',
  argument: KEY_ID,
  options: {},
  call: (client, _values, id) => client.keys.get.query({ id: readKeyId(id) }),
  show: formatFields,
});

const update = defineAction({
  summary: 'change a key, or disable it for the time being',
  usage: `<id> [options]\n\n${SETTINGS_USAGE}\n  --disable           refuse it until it is enabled\n  --enable            take it again`,
  argument: KEY_ID,
  options: { ...SETTINGS, disable: { type: 'boolean' }, enable: { type: 'boolean' } },
  call: (client, values, id) => {
    const { disable, enable } = values;
    if (disable && enable) throw new CliError('--disable or --enable, not both', 2);
    const disabled = disable ? { disabled: true } : enable ? { disabled: false } : {};
    return client.keys.update.mutate({ id: readKeyId(id), ...readSettings(values), ...disabled });
  },
  show: formatFields,
});

const rotate = defineAction({
  summary: 'give a key a new text; the old one stays valid for a while',
  usage: '<id> [options]\n\n  --overlap <time>    how long, such as 7d; 0s ends it at once (24h)',
  argument: KEY_ID,
  options: { overlap: { type: 'string', default: '24h' } },
  question: ({ overlap }, id) =>
    /^0+[a-z]$/.test(overlap) ? `The present text of key ${id} will be refused at once.` : undefined,
  call: (client, { overlap }, id) =>
    client.keys.rotate.mutate({ id: readKeyId(id), overlapSeconds: parseDurationSeconds('--overlap', overlap) }),
  show: showIssued,
});

const revoke = defineAction({
  summary: 'refuse a key for good',
  usage: '<id> [options]',
  argument: KEY_ID,
  options: {},
  question: (_values, id) => `Key ${id} will be refused for good.`,
  call: (client, _values, id) => client.keys.revoke.mutate({ id: readKeyId(id) }),
  show: ({ id, name }) => [`Revoked ${id} (${name}).`],
});

const usage = defineAction({
  summary: 'answered requests by day and route',
  usage: '<id> [options]\n\n  --days <n>          how many days back (30)',
  argument: KEY_ID,
  options: { days: { type: 'string', default: '30' } },
  call: (client, { days }, id) => client.keys.usage.query({ id: readKeyId(id), days: wholeNumber('--days', days) }),
  show: (rows) =>
    formatRows(
      ['DAY', 'ROUTE', 'REQUESTS'],
      rows.map(({ day, route, requests }) => [day, route, requests]),
    ),
});

/** `keys`: the keys of the public API, on the admin plane of a running service. */
export async function run(args: string[]): Promise<number> {
  return await dispatch('keys', { issue, list, get, update, rotate, revoke, usage }, args);
}

function showIssued({ key, ...rest }: IssuedKey): string[] {
  return [key, '', 'This is shown once: store it now.', ...formatFields(rest)];
}

/** The settings that were given; what was not stays out. Throws `CliError`. */
function readSettings(values: { readonly [Name in keyof typeof SETTINGS]?: string | undefined }) {
  const { name, owner, scopes, expires, 'rate-limit': limit } = values;
  return {
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owner }),
    ...(scopes === undefined ? {} : { scopes: readScopes(scopes) }),
    ...(expires === undefined ? {} : { expiresAt: parseExpiry('--expires', expires, new Date()) }),
    ...(limit === undefined ? {} : { rateLimitMax: limit === 'default' ? null : wholeNumber('--rate-limit', limit) }),
  };
}

function readScopes(list: string): KeyScope[] {
  return list.split(',').map((word) => {
    const scope = word.trim();
    if (isKeyScope(scope)) return scope;
    throw new CliError(`--scopes: ${scope} is no scope; there are ${KEY_SCOPES.join(', ')}`, 2);
  });
}

function readKeyId(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  throw new CliError(`${printable(text)} is no key id (16 hexadecimal digits, as keys list shows them)`, 2);
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CliError(`${option}: ${text} is no whole number`, 2);
}
