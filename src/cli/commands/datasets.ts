import { KEPT_GENERATIONS } from '../../admin/limits.js';
import type { ReloadResult, RollbackResult } from '../../catalog/dataset-admin.js';
import { isGenerationName } from '../../catalog/generations.js';
import { ageText, type LoadedSource } from '../../core/loaded-source.js';
import { formatBytes } from '../../core/table.js';
import { EVENTS } from '../../webhooks/subscription.js';
import type { WebhookPreview } from '../../webhooks/webhook-admin.js';
import { defineAction } from '../admin/action.js';
import { dispatch } from '../admin/dispatch.js';
import { shownText } from '../admin/shown-text.js';
import { formatFields, formatRows } from '../admin/table.js';
import { parseWholeNumber } from '../admin/whole-number.js';
import { CliError } from '../cli-error.js';

const list = defineAction({
  summary: 'all generations on disk, the live one first',
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
  summary: 'what the service answers from',
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
  summary: 'take the published generation live',
  usage: '[options]\n\n  --dry-run           check and compare it only',
  options: { 'dry-run': { type: 'boolean' } },
  read: (values) => ({ dryRun: values['dry-run'] === true }),
  call: (client, input) => client.datasets.reload.mutate(input),
  show: ({ deliveries, ...result }) => [...showReload(result), ...showDeliveries(deliveries)],
});

const rollback = defineAction({
  summary: 'undo the last step: withdraw what is published and not live, else go back to what was live before',
  usage: '[options]',
  options: {},
  read: () => undefined,
  question: () =>
    'What is published and not live will be withdrawn; where there is nothing like that, the service will go back to what was live before.',
  call: (client) => client.datasets.rollback.mutate(),
  show: showRollback,
});

const prune = defineAction({
  summary: 'delete generations that nobody needs',
  usage: '[options]\n\n  --keep <n>          earlier ones to keep (1)',
  options: { keep: { type: 'string' } },
  read: ({ keep }) =>
    keep === undefined ? {} : { keep: parseWholeNumber('--keep', keep, { min: 0, max: KEPT_GENERATIONS }) },
  question: () => 'Generations will be deleted from the disk.',
  call: (client, input) => client.datasets.prune.mutate(input),
  show: ({ removed, kept, freedBytes }) => [
    `Deleted ${removed.length} (${formatBytes(freedBytes)}), kept ${kept.length}.`,
    ...formatRows(
      ['GENERATION', 'KEPT BECAUSE'],
      kept.map(({ generation, reason }) => [generation, reason]),
    ),
  ],
});

const verify = defineAction({
  summary: 'compare every byte of a generation with its checksums',
  usage: '[generation] [options]',
  argument: { name: 'generation', required: false },
  options: {},
  read: (_values, generation) => (generation === '' ? {} : { generation: readGeneration(generation) }),
  call: (client, input) => client.datasets.verify.query(input),
  isFailure: ({ intact }) => !intact,
  show: ({ generation, intact, damage, durationMs }) =>
    intact
      ? [`${generation} is intact (${Math.round(durationMs)} ms).`]
      : damage.map(({ message }) => `damaged: ${message}`),
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

const ANOTHER_ROLLBACK = 'Another rollback goes to what was live before it, where there is any.';

export function showReload(result: ReloadResult): string[] {
  const { changes, durationMs } = result;
  const counts = changes ? formatFields({ ...changes, ...changes.bySection, bySection: undefined }) : [];
  return [
    `${summaryOf(result)} (${Math.round(durationMs)} ms).`,
    ...counts.filter((line) => !line.startsWith('bySection:')),
  ];
}

function summaryOf({ changed, renewed, dryRun, from, to }: ReloadResult): string {
  if (changed) return `${to} ${dryRun ? 'would be live' : 'is live'}, after ${from ?? 'nothing'}`;
  if (renewed) return `${to} stays live, and its files were opened anew`;
  // A dry run does not tell whether they are the ones that are open.
  return `${to} is live already, and its files are intact${dryRun ? '' : ': nothing changed'}`;
}

export function showRollback({ withdrawn, mended, ...result }: RollbackResult): string[] {
  if (mended && !result.changed) {
    return [`CURRENT named no generation. ${result.to} stays live, and is what a start opens again.`, ANOTHER_ROLLBACK];
  }
  if (withdrawn === null) return showReload(result);
  if (result.changed) return [...showReload(result), `${withdrawn} was published and not live; it is withdrawn.`];
  return [
    `${withdrawn} was published and not live; it is withdrawn. ${result.to} stays live, and is what a start opens.`,
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
  const title = 'Events that would be sent, or wait until the subscription is active again:';
  return ['', title, ...formatRows(['WEBHOOK', 'KEY', 'STATE', ...EVENTS], rows)];
}

function readGeneration(text: string): string {
  if (isGenerationName(text)) return text;
  throw new CliError(`${shownText(text)} is no generation (32 hexadecimal digits, as datasets list shows them)`, 2);
}
