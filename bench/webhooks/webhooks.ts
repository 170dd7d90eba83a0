import { setTimeout as delay } from 'node:timers/promises';
import { diffTracts } from '../../src/catalog/admin/diff.js';
import type { Dataset } from '../../src/format/dataset.js';
import { type LoadClient, startLoadClient } from '../client/load-client.js';
import { coldAsks } from '../http/asks.js';
import { TRACT } from '../http/endpoints.js';
import { p99BetweenStalls } from '../http/fixed-rate-figures.js';
import { type AskStream, sample, streamOf } from '../http/sample.js';
import { worldOfAll } from '../http/world.js';
import { MEBIBYTE } from '../lib/mebibyte.js';
import { privateDirtyOfTree } from '../lib/process-tree.js';
import { NO_PRIVATE_MEMORY } from '../lib/process-usage.js';
import { figure, ratioFigure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import { type Figure, type SuiteContext, type SuiteOutcome, WrongAnswerError } from '../lib/suite.js';
import { openTwoGenerations } from '../lib/two-generations.js';
import { type Receiver, startReceiver } from './receiver-process.js';
import {
  expectedEvents,
  planSubscribers,
  SUBSCRIBER_KEYS,
  SUBSCRIBERS,
  type Subscriber,
  subscribeAll,
} from './subscribers.js';

const SEED = 1;
/** Longer samples would outlast the deliveries on a fast machine. */
const SAMPLE_MAX_SECONDS = 1;
const ROUNDS = 3;
const RATE_MIN = 0.25;
const P99_MAX = 1.5;
const GROWTH_MAX_MIB = 24;
const FIRST_WITHIN_MS = 60_000;
const DRAINED_WITHIN_MS = 10 * 60_000;
const CANNON_CONNECTIONS = 16;
const API_LOAD = { kind: 'open', connections: 64, keepAlive: true, ratePerSecond: 500 } as const;
/** A body of the same length as real events. */
const BODY = JSON.stringify({
  event: 'data.updated',
  timestamp: '2026-03-01T00:00:00.000+00:00',
  data: { state_fips: '27', geoid: '27053026200', updated_fields: ['demographics', 'places_measures', 'sdoh_index'] },
});

/** `webhooks`: delivers a whole nation's changes to many subscribers, compared with the rate their receiver can take. */
export async function runWebhooks(context: SuiteContext): Promise<SuiteOutcome> {
  const { note } = context;
  const generations = openTwoGenerations(context);
  if ('skipped' in generations) return generations;
  const { datasetsDir, current, other, publish } = generations;
  const [before, after] = generations.datasets;
  const changed = diffTracts(before.tracts, after.tracts).geoids;
  if (changed.length === 0) {
    generations.release();
    return {
      skipped: `the two generations in ${context.datasetsDir} have the same tracts, so there is nothing to deliver`,
    };
  }
  const receiver = await startReceiver();
  const client = startLoadClient();
  let service: Service | undefined;
  try {
    const all = planSubscribers(before.tracts.description.states.map(({ fips }) => fips));
    const args = ['--webhook-allowed-hosts', '127.0.0.1'];
    service = await startService({ ...context, datasetsDir, furtherKeys: SUBSCRIBER_KEYS, args });
    await subscribeAll(service, receiver.url, all);
    note(`${ROUNDS} rounds of ${changed.length} changed tracts to ${SUBSCRIBERS} subscribers`);
    const sampleSeconds = Math.min(context.sampleSeconds, SAMPLE_MAX_SECONDS);
    const run = { note, sampleSeconds, service, client, receiver, all, changed, publish, turns: [other, current] };
    // Of tracts that only one of the generations has, the other would know nothing.
    const stream = streamOf(coldAsks(TRACT, worldOfAll(generations.datasets, SEED), SEED));
    const figures = await measure({ ...run, stream });
    return {
      datasets: { before: current, after: other },
      checks: [
        'every subscriber got exactly the events that it subscribed to, in each round',
        'every answer of the API was a 200, also during the deliveries',
      ],
      figures,
    };
  } finally {
    await service?.stop();
    generations.release();
    await client.stop();
    receiver.stop();
  }
}

interface Run extends Pick<SuiteContext, 'sampleSeconds' | 'note'> {
  readonly service: Service;
  readonly client: LoadClient;
  readonly receiver: Receiver;
  readonly all: readonly Subscriber[];
  readonly changed: Dataset['tracts']['geoids'];
  readonly stream: AskStream;
  /** Makes a generation current. */
  readonly publish: (generation: string) => void;
  readonly turns: readonly string[];
}

async function measure(run: Run): Promise<Figure[]> {
  const cannon: number[] = [];
  const events: number[] = [];
  const calm: number[] = [];
  const busy: number[] = [];
  const memoryMib: number[] = [];
  const p99 = async (): Promise<number> => {
    const load = { ...API_LOAD, seconds: run.sampleSeconds * 2 };
    const { result } = await sample(run.client, run.service, run.stream, load);
    return p99BetweenStalls(result);
  };
  await p99();
  let expected: Readonly<Record<string, number>> = {};
  // Round 0 is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    const cannonRate = await cannonRateOf(run);
    const calmMs = await p99();
    expected = added(expected, expectedEvents(run.all, run.changed));
    const already = await run.receiver.counts();
    run.publish(run.turns[round % 2] ?? '');
    process.kill(run.service.pid, 'SIGHUP');
    const eventRate = await rateOf(run, already);
    const busyMs = await p99();
    // If all events have arrived, part of the `busy` sample was taken without deliveries.
    if (totalOf(await run.receiver.counts()) >= totalOf(expected))
      throw new Error('the deliveries ended too soon: use fewer --seconds');
    await drained(run, expected);
    if (round === 0) continue;
    cannon.push(cannonRate);
    events.push(eventRate);
    calm.push(calmMs);
    busy.push(busyMs);
    const privateBytes = privateDirtyOfTree(run.service.pid);
    if (privateBytes !== undefined) memoryMib.push(privateBytes / MEBIBYTE);
  }
  if (memoryMib.length === 0) run.note(`the memory that deliveries cost ${NO_PRIVATE_MEMORY}`);
  return [
    figure('events delivered, signed and stored', '/s', events),
    figure('autocannon with the same body at the same receiver', '/s', cannon),
    ratioFigure('events : autocannon', events, cannon, { sign: '≥', bound: RATE_MIN }),
    figure('p99 of tracts during deliveries', 'ms', busy),
    figure('p99 of tracts without deliveries', 'ms', calm),
    ratioFigure('p99 of tracts, with deliveries : without', busy, calm, { sign: '≤', bound: P99_MAX }),
    ...memoryFigures(memoryMib),
  ];
}

/** Private memory after each round's deliveries; no figures where the system does not tell it. */
function memoryFigures(memoryMib: readonly number[]): Figure[] {
  const [first, last] = [memoryMib[0], memoryMib.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    figure('private memory after a delivery', 'MiB', memoryMib),
    figure('growth of private memory from the first to the last', 'MiB', [last - first], {
      sign: '≤',
      bound: GROWTH_MAX_MIB,
    }),
  ];
}

/**
 * The rate at which the receiver takes requests from a client that does nothing but send. Throws {@link WrongAnswerError}
 * unless it accepts all: one that fails some would be a slower yardstick.
 */
async function cannonRateOf({ client, receiver, sampleSeconds }: Run): Promise<number> {
  const stream = streamOf([{ method: 'POST', path: '/cannon', body: BODY }]);
  const seconds = sampleSeconds * 2;
  const load = { kind: 'autocannon', connections: CANNON_CONNECTIONS, seconds, keepAlive: true } as const;
  const target = { url: receiver.url, headers: { 'content-type': 'application/json' } };
  return (await sample(client, target, stream, load)).perSecond;
}

/**
 * Events per second, measured from half a second after the round's first event. Throws {@link WrongAnswerError} if there is
 * none.
 */
async function rateOf({ receiver, sampleSeconds }: Run, already: Readonly<Record<string, number>>): Promise<number> {
  const started = totalOf(already);
  const givesUpAt = performance.now() + FIRST_WITHIN_MS;
  while (totalOf(await receiver.counts()) <= started) {
    if (performance.now() > givesUpAt)
      throw new WrongAnswerError(`no event has arrived ${FIRST_WITHIN_MS / 1000} s after the reload`);
    await delay(20);
  }
  await delay(500);
  const before = totalOf(await receiver.counts());
  const startedAtMs = performance.now();
  await delay(sampleSeconds * 2000);
  const arrived = totalOf(await receiver.counts()) - before;
  return arrived / ((performance.now() - startedAtMs) / 1000);
}

/**
 * Waits until every subscriber has received all its events. Throws {@link WrongAnswerError} if one receives too many, or if
 * events are still missing after `DRAINED_WITHIN_MS`.
 */
async function drained({ receiver }: Run, expected: Readonly<Record<string, number>>): Promise<void> {
  const givesUpAt = performance.now() + DRAINED_WITHIN_MS;
  for (;;) {
    const counts = await receiver.counts();
    const wrong = Object.entries(expected).filter(([path, count]) => (counts[path] ?? 0) !== count);
    if (wrong.length === 0) return;
    const tooMany = wrong.find(([path, count]) => (counts[path] ?? 0) > count);
    if (tooMany || performance.now() > givesUpAt) {
      const [path, count] = tooMany ?? wrong[0] ?? [];
      const example = `${counts[path ?? '']} instead of ${count}`;
      throw new WrongAnswerError(
        `${wrong.length} subscribers got other events than they subscribed to, one ${example}`,
      );
    }
    await delay(100);
  }
}

function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.entries(counts).reduce((sum, [path, count]) => (path === '/cannon' ? sum : sum + count), 0);
}

function added(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(other).map(([path, count]) => [path, count + (one[path] ?? 0)]));
}
