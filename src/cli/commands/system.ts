import { AUDIT_PAGE } from '../../admin/limits.js';
import { defineAction } from '../admin/action.js';
import { dispatch } from '../admin/dispatch.js';
import { formatDuration } from '../admin/duration.js';
import { formatFields, formatRows } from '../admin/table.js';
import { parseWholeNumber } from '../admin/whole-number.js';

const status = defineAction({
  summary: 'show version, uptime, processes and datasets',
  usage: '[options]',
  options: {},
  read: () => undefined,
  call: (client) => client.system.status.query(),
  show: ({ version, uptimeSeconds, pid, processes, stateDirectory, datasets }) =>
    formatFields({
      version,
      uptime: formatDuration(uptimeSeconds),
      pid,
      processes,
      'state directory': stateDirectory,
      ...datasets,
    }),
});

const metrics = defineAction({
  summary: 'show the metrics of /metrics',
  usage: '[options]',
  options: {},
  read: () => undefined,
  call: (client) => client.system.metrics.query(),
  show: formatFields,
});

const config = defineAction({
  summary: 'show the settings in force, with secrets masked',
  usage: '[options]',
  options: {},
  read: () => undefined,
  call: (client) => client.system.config.query(),
  show: (entries) => entries.map(({ name, value }) => `${name}=${value}`),
});

const audit = defineAction({
  summary: 'show who changed what, newest first',
  usage: `[options]

  --limit <n>         number of entries to show, at most ${AUDIT_PAGE} (default 100)
  --before <n>        only entries with a lower number`,
  options: { limit: { type: 'string', default: '100' }, before: { type: 'string' } },
  read: ({ limit, before }) => ({
    limit: parseWholeNumber('--limit', limit, { min: 1, max: AUDIT_PAGE }),
    ...(before === undefined ? {} : { before: parseWholeNumber('--before', before, { min: 1 }) }),
  }),
  call: (client, input) => client.system.audit.query(input),
  show: (entries) =>
    formatRows(
      ['NO', 'AT', 'WHO', 'FROM', 'WHAT', 'ON', 'OUTCOME', 'CHANGE'],
      entries.map((entry) => [
        entry.id,
        entry.at,
        entry.actor.name,
        entry.actor.address,
        entry.action,
        entry.target,
        entry.outcome,
        changeOf(entry.before, entry.after),
      ]),
    ),
});

/** `system`: shows the status, metrics, settings and audit log of a running service. */
export async function run(args: string[]): Promise<number> {
  return await dispatch('system', { status, metrics, config, audit }, args);
}

/** The fields that differ, as `name: before → after`; a dash marks a removed value. */
export function changeOf(before: object | null, after: object | null): string {
  const [old, now] = [before, after].map((thing) => new Map<string, unknown>(Object.entries(thing ?? {})));
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
    .map((name) => [name, textOf(old?.get(name)), textOf(now?.get(name))] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => (was === undefined ? `${name}: ${is}` : `${name}: ${was} → ${is ?? '–'}`))
    .join(', ');
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
