import type { AdminClient } from '../../admin/client.js';
import { defineAction } from '../admin/action.js';
import { dispatch } from '../admin/dispatch.js';
import { parseKeyId } from '../admin/key-id.js';
import { shownText } from '../admin/shown-text.js';
import { formatFields, formatRows, timeText } from '../admin/table.js';
import { CliError } from '../cli-error.js';

const WEBHOOK_ID = { name: 'webhook id', required: true } as const;

/** An action on one subscription, without options of its own. */
const ON_ONE = { usage: '<id> [options]', argument: WEBHOOK_ID, options: {}, read: readById } as const;

const list = defineAction({
  summary: 'list all subscriptions and how their deliveries went',
  usage: '[options]\n\n  --owner <key id>    only subscriptions of this key',
  note: 'WAITING UPDATES counts dataset changes that are not fully delivered yet, not their single events.',
  options: { owner: { type: 'string' } },
  read: ({ owner }) => (owner === undefined ? {} : { owner: parseKeyId(owner, '--owner: ') }),
  call: (client, input) => client.webhooks.list.query(input),
  show: (webhooks) =>
    formatRows(
      [
        'ID',
        'KEY',
        'STATE',
        'DELIVERED',
        'RETRIED',
        'FAILED',
        'DEAD LETTERS',
        'WAITING UPDATES',
        'LAG (S)',
        'LAST SUCCESS',
        'URL',
      ],
      webhooks.map((entry) => [
        entry.id,
        entry.owner,
        stateOf(entry),
        entry.delivered,
        entry.retried,
        entry.failed,
        entry.deadLetters,
        entry.waitingUpdates,
        entry.lagSeconds,
        entry.lastSuccessAt,
        entry.url,
      ]),
    ),
});

const attempts = defineAction({
  summary: 'show recent delivery attempts and dead letters',
  ...ON_ONE,
  call: (client, input) => client.webhooks.attempts.query(input),
  show: showAttempts,
});

const replay = defineAction({
  summary: 'send dead letters again',
  usage: '<id> [options]\n\n  --dead-letter <n>   only this one',
  argument: WEBHOOK_ID,
  options: { 'dead-letter': { type: 'string' } },
  read: ({ 'dead-letter': letter }, id) => ({
    id: readId(id),
    ...(letter === undefined ? {} : { deadLetter: readId(letter, '--dead-letter: ') }),
  }),
  call: (client, input) => client.webhooks.replay.mutate(input),
  show: ({ replayed }) => [`Dead letters to be sent again: ${replayed}.`],
});

const test = defineAction({
  summary: 'send a ping event now',
  ...ON_ONE,
  call: (client, input) => client.webhooks.test.mutate(input),
  isFailure: ({ arrived }) => !arrived,
  show: (result) => formatFields(result),
});

const pause = defineAction({
  summary: 'stop deliveries until the subscription is resumed; its events wait',
  ...ON_ONE,
  call: (client, input) => client.webhooks.pause.mutate(input),
  show: formatFields,
});

const resume = defineAction({
  summary: 'continue a paused subscription, or end its pause after failures',
  ...ON_ONE,
  call: (client, input) => client.webhooks.resume.mutate(input),
  show: formatFields,
});

const remove = defineAction({
  summary: 'delete a subscription permanently, for example one of a revoked key',
  ...ON_ONE,
  question: ({ id }) => `Subscription ${id} will be deleted, with its undelivered events and dead letters.`,
  call: (client, input) => client.webhooks.delete.mutate(input),
  // Its record would read as if it were still there, and active.
  show: ({ id, url }) => [`Deleted subscription ${id} (${url}).`],
});

/** `webhooks`: manages the webhook subscriptions of a running service. */
export async function run(args: string[]): Promise<number> {
  return await dispatch('webhooks', { list, attempts, replay, test, pause, resume, delete: remove }, args);
}

export function stateOf({
  state,
  pausedBecause,
  restsUntil,
}: Pick<Summary, 'state' | 'pausedBecause' | 'restsUntil'>): string {
  if (pausedBecause) return `${state} (${pausedBecause})`;
  return restsUntil ? `${state} (waits until ${timeText(restsUntil)} after failures)` : state;
}

type Summary = Awaited<ReturnType<AdminClient['webhooks']['list']['query']>>[number];
type Attempts = Awaited<ReturnType<AdminClient['webhooks']['attempts']['query']>>;

function showAttempts({ recent, deadLetters }: Attempts): string[] {
  return [
    ...formatRows(
      ['AT', 'EVENT', 'GEOID', 'ATTEMPT', 'STATUS', 'FAILURE', 'MS', 'WEBHOOK-ID'],
      recent.map((entry) => [
        entry.at,
        entry.event,
        entry.geoid,
        entry.attempt,
        entry.status,
        entry.failure,
        entry.durationMs,
        entry.webhookId,
      ]),
    ),
    '',
    ...formatRows(
      ['DEAD LETTER', 'GIVEN UP AT', 'EVENT', 'GEOID', 'STATUS', 'FAILURE', 'TO BE SENT AGAIN'],
      deadLetters.map((entry) => [
        entry.id,
        entry.failedAt,
        entry.event,
        entry.geoid,
        entry.status,
        entry.failure,
        entry.replaying ? 'yes' : null,
      ]),
    ),
  ];
}

function readById(_values: unknown, id: string): { id: number } {
  return { id: readId(id) };
}

function readId(text: string, option = ''): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CliError(`${option}${shownText(text)} is not an id (a whole number above 0)`, 2);
}
