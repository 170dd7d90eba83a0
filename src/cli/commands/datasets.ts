import { KEPT_GENERATIONS } from '../../admin/limits.js';
import type { ChangeCounts, ReloadResult, RollbackResult } from '../../catalog/admin/dataset-admin.js';
import { formatBytes } from '../../core/format-bytes.js';
import { ageText, type LoadedSource } from '../../core/loaded-source.js';
import type { WebhookPreview } from '../../webhooks/admin/webhook-admin.js';
import { EVENTS } from '../../webhooks/subscription.js';
import { defineAction } from '../admin/action.js';
import { dispatch } from '../admin/dispatch.js';
import { parseGeneration } from '../admin/generation.js';
import { formatFields, formatRows } from '../admin/table.js';
import { parseWholeNumber } from '../admin/whole-number.js';
import { damageLine } from '../damage-line.js';

const list = defineAction({
  summary: 'list the generations on disk, the live one first',
  usage: '[options]',
  options: {},
  read: () => undefined,
  call: (client) => client.datasets.list.query(),
  show: (generations) =>
    formatRows(
      ['GENERATION', 'IS', 'CREATED', 'SIZE', 'NEWEST OF EACH SOURCE'],
      generations.map((entry) => [
        entry.generation,
        rolesOf(entry),
        entry.createdAt,
        entry.sizeBytes === null ? 'unreadable' : formatBytes(entry.sizeBytes),
        newestOf(entry.sources),
      ]),
    ),
});

const current = defineAction({
  summary: 'show the live, published and previous generations',
  usage: '[options]',
  options: {},
  read: () => undefined,
  call: (client) => client.datasets.current.query(),
  show: ({ live, published, previous }) => {
    const { sources = [], ...facts } = live ?? {};
    const generations = formatFields({ live: live && facts, published, previous });
    if (sources.length === 0) return generations;
    return [
      ...generations,
      '',
      ...formatRows(
        ['SOURCE', 'VINTAGE', 'AGE', 'FETCHED'],
        sources.map(({ source, vintage, ageDays, fetched }) => [source, vintage, ageText(ageDays), fetched]),
      ),
    ];
  },
});

const reload = defineAction({
  summary: 'make the published generation live',
  usage: '[options]\n\n  --dry-run           only verify it and show what would change',
  options: { 'dry-run': { type: 'boolean' } },
  read: (values) => ({ dryRun: values['dry-run'] === true }),
  call: (client, input) => client.datasets.reload.mutate(input),
  show: ({ deliveries, ...result }) => [...showReload(result), ...showDeliveries(deliveries)],
});

const rollback = defineAction({
  summary: 'undo the last step: withdraw a published generation that is not live, or return to the previous one',
  usage: '[options]',
  options: {},
  read: () => undefined,
  question: () =>
    'A published generation that is not live will be withdrawn; without one, the previous generation goes live again.',
  call: (client) => client.datasets.rollback.mutate(),
  show: showRollback,
});

const prune = defineAction({
  summary: 'delete generations that are no longer needed',
  usage: '[options]\n\n  --keep <n>          number of earlier generations to keep (default 1)',
  options: { keep: { type: 'string' } },
  read: ({ keep }) =>
    keep === undefined ? {} : { keep: parseWholeNumber('--keep', keep, { min: 0, max: KEPT_GENERATIONS }) },
  question: () => 'Generations that are no longer needed will be deleted from disk.',
  call: (client, input) => client.datasets.prune.mutate(input),
  show: ({ removed, kept, freedBytes }) => [
    `Generations deleted: ${removed.length} (${formatBytes(freedBytes)}), kept: ${kept.length}.`,
    ...formatRows(
      ['GENERATION', 'KEPT BECAUSE'],
      kept.map(({ generation, reason }) => [generation, reason]),
    ),
  ],
});

const verify = defineAction({
  summary: 'verify all checksums of a generation',
  usage: '[generation] [options]',
  argument: { name: 'generation', required: false },
  options: {},
  read: (_values, generation) => (generation === '' ? {} : { generation: parseGeneration(generation) }),
  call: (client, input) => client.datasets.verify.query(input),
  isFailure: ({ intact }) => !intact,
  show: ({ generation, intact, damage, durationMs }) =>
    intact ? [`${generation} is intact (${Math.round(durationMs)} ms).`] : damage.map(damageLine),
});

/** `datasets`: the generations of a running service. */
export async function run(args: string[]): Promise<number> {
  return await dispatch('datasets', { list, current, reload, rollback, prune, verify }, args);
}

function rolesOf(entry: Readonly<Record<'live' | 'current' | 'previous' | 'pinned', boolean>>): string[] {
  return (['live', 'current', 'previous', 'pinned'] as const).filter((role) => entry[role]);
}

/** The newest vintage of each source, `acs 2024`, …: the input lists a source's newest vintage first. */
function newestOf(sources: readonly LoadedSource[]): string[] {
  const newest = new Map(sources.map((entry) => [entry.source, entry.vintage] as const).reverse());
  return [...newest].reverse().map(([source, vintage]) => (vintage === null ? source : `${source} ${vintage}`));
}

const ANOTHER_ROLLBACK = 'Another rollback returns to the generation that was live before, if there is one.';

export function showReload(result: ReloadResult): string[] {
  const { changes, durationMs } = result;
  return [`${summaryOf(result)} (${Math.round(durationMs)} ms).`, ...(changes ? showChanges(changes) : [])];
}

function showChanges({ bySection, ...tracts }: ChangeCounts): string[] {
  return formatFields({ ...tracts, ...bySection });
}

function summaryOf({ changed, renewed, dryRun, from, to }: ReloadResult): string {
  if (changed)
    return `${to} ${dryRun ? 'would replace' : 'has replaced'} ${from ?? 'no dataset'} as the live generation`;
  if (renewed) return `${to} stays live; its files were reopened`;
  // A dry run does not tell whether they are the ones that are open.
  return `${to} is already live and its files are intact${dryRun ? '' : '; nothing changed'}`;
}

export function showRollback({ withdrawn, mended, ...result }: RollbackResult): string[] {
  if (mended && !result.changed) {
    return [`CURRENT named no generation. ${result.to} stays live and is published again.`, ANOTHER_ROLLBACK];
  }
  if (withdrawn === null) return showReload(result);
  if (result.changed) return [...showReload(result), `${withdrawn} was published but not live; it has been withdrawn.`];
  return [
    `${withdrawn} was published but not live; it has been withdrawn. ${result.to} stays live and is published again.`,
    ANOTHER_ROLLBACK,
  ];
}

function showDeliveries(deliveries: readonly WebhookPreview[] | null): string[] {
  if (!deliveries || deliveries.length === 0) return [];
  const rows = deliveries.map(({ id, owner, state, events }) => [
    id,
    owner,
    state,
    ...EVENTS.map((event) => events[event]),
  ]);
  const title = 'Events that would be sent, or held until the subscription is active again:';
  return ['', title, ...formatRows(['WEBHOOK', 'KEY', 'STATE', ...EVENTS], rows)];
}
