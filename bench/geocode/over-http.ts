import { type LoadClient, startLoadClient } from '../client/load-client.js';
import { checkAnswers } from '../http/check.js';
import type { Line } from '../http/curves.js';
import { askAbout, type KnownAsk } from '../http/endpoints.js';
import { measureHalf } from '../http/fixed-rate.js';
import { latenciesAtHalf } from '../http/fixed-rate-figures.js';
import { sample, streamOf } from '../http/sample.js';
import { type KnownAddress, worldOf } from '../http/world.js';
import { startYardstick } from '../http/yardsticks.js';
import { openLive } from '../lib/live-dataset.js';
import { figure } from '../lib/rounds.js';
import { startService } from '../lib/service.js';
import type { Figure, SuiteContext, Target } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';

const SEED = 1;
const CHECKED_ANSWERS = 100;
const BATCH = 50;
/** Connections of the closed loop: few, because a busy machine refuses batches that it cannot finish soon. */
const FEW_CONNECTIONS = 16;
/** Discarded samples before the maximum rate is measured, because a process that has just started is slower. */
const COLD_SAMPLES = 3;
const MAXIMUM_SAMPLES = 3;
/** How many times longer a fixed-rate sample is than a closed-loop one: a p99 needs many answers. */
const LONGER = 2;
const AT_MOST = { p99OfOne: 1, p50OfBatch: 5 } as const;

/** One kind of request that contains addresses. */
interface Question {
  readonly name: string;
  readonly asks: readonly KnownAsk[];
  readonly targets: Readonly<Partial<Record<'p50' | 'p99', Target>>>;
}

/** The figures, the checks, and the dataset that they belong to. */
export interface OverHttp {
  readonly datasets: Readonly<Record<string, string>>;
  readonly checks: readonly string[];
  readonly figures: readonly Figure[];
}

/**
 * Measures requests with one address and with 50 over HTTP: latencies at half of the maximum rate, in turn with bare
 * `node:http` at the same rate and with a body of the same size. Undefined if there is no dataset with address ranges.
 */
export async function measureOverHttp(context: SuiteContext): Promise<OverHttp | undefined> {
  const dataset = openLive(context.datasetsDir);
  if (!dataset?.addresses) return undefined;
  const { addresses } = worldOf(dataset, SEED);
  const datasets = { [`${dataset.addresses.rangeCount} ranges over HTTP`]: dataset.generation };
  dataset.release();
  const service = await startService(context);
  const client = startLoadClient();
  const checks: string[] = [];
  const figures: Figure[] = [];
  try {
    for (const question of questionsOf(addresses)) {
      context.note(`${question.name}, over HTTP`);
      const { count, meanBodyBytes } = await checkAnswers(service, question.asks.slice(-CHECKED_ANSWERS));
      checks.push(`${question.name}: ${count} answers, ${meanBodyBytes} bytes each`);
      figures.push(...(await measureQuestion(client, service, question, meanBodyBytes, context.sampleSeconds)));
    }
  } finally {
    await service.stop();
    await client.stop();
  }
  return { datasets, checks, figures };
}

function questionsOf(addresses: readonly KnownAddress[]): Question[] {
  const one = addresses.map(askAbout);
  const batches = Array.from({ length: Math.floor(addresses.length / BATCH) }, (_, turn): KnownAsk => {
    const asked = addresses.slice(turn * BATCH, (turn + 1) * BATCH).map(({ text }) => text);
    const body = JSON.stringify({ addresses: asked });
    return { method: 'POST', path: '/v1/batch', body, expected: () => ({ total: BATCH, succeeded: BATCH }) };
  });
  return [
    { name: 'an address', asks: one, targets: { p99: { sign: '≤', bound: AT_MOST.p99OfOne } } },
    { name: `a batch of ${BATCH}`, asks: batches, targets: { p50: { sign: '≤', bound: AT_MOST.p50OfBatch } } },
  ];
}

async function measureQuestion(
  client: LoadClient,
  service: TargetServer,
  { name, asks, targets }: Question,
  bodyBytes: number,
  seconds: number,
): Promise<Figure[]> {
  const line = { name, server: service, stream: streamOf(asks) };
  const bare = await startYardstick('node', bodyBytes);
  try {
    const findMaximum = () => maximumRates(client, line, seconds);
    const { maximum, atHalf } = await measureHalf(client, line, { bare, findMaximum, seconds: seconds * LONGER });
    return [figure(`${name}: maximum rate`, '/s', maximum), ...latenciesAtHalf(name, atHalf, targets)];
  } finally {
    await bare.stop();
  }
}

/** The maximum rate in answers per second, over so few connections that even a busy machine refuses none. */
async function maximumRates(client: LoadClient, { server, stream }: Line, seconds: number): Promise<number[]> {
  const maximum: number[] = [];
  for (let turn = -COLD_SAMPLES; turn < MAXIMUM_SAMPLES; turn++) {
    const load = { kind: 'closed', connections: FEW_CONNECTIONS, seconds, keepAlive: true } as const;
    const { perSecond } = await sample(client, server, stream, load);
    if (turn >= 0) maximum.push(perSecond);
  }
  return maximum;
}
