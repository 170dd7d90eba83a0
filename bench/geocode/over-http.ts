import type { LoadClient } from '../client/load-client.js';
import { startLoadClient } from '../client/load-client.js';
import { checkAnswers } from '../http/check.js';
import { percentileMs } from '../http/curves.js';
import type { KnownAsk } from '../http/endpoints.js';
import { sample, streamOf } from '../http/sample.js';
import { worldOf } from '../http/world.js';
import { startYardstick } from '../http/yardsticks.js';
import { openLive } from '../lib/live-dataset.js';
import { alternate, figure, median, ratioFigure } from '../lib/rounds.js';
import { startService } from '../lib/service.js';
import type { Figure, SuiteContext, Target } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';

const SEED = 1;
const CHECKED_ANSWERS = 100;
const BATCH = 50;
const CONNECTIONS = 256;
/** Of a closed loop: more batches at a time than a busy machine has done soon are refused. */
const FEW_CONNECTIONS = 16;
const ROUNDS = 5;
const WARM_UPS = 1;
/** Before the maximum rate is looked for: half of it must not be half of what a process does that has just begun. */
const COLD_SAMPLES = 3;
const MAXIMUM_SAMPLES = 3;
/** Seconds of a fixed rate for one of a closed loop: a p99 wants many answers. */
const LONGER = 2;
const AT_MOST = { p99OfOne: 1, p50OfBatch: 5 } as const;

/** A kind of request by address. */
interface Question {
  readonly name: string;
  readonly asks: readonly KnownAsk[];
  readonly targets: Readonly<Partial<Record<'p50' | 'p99', Target>>>;
}

/** What was measured, of which dataset. */
export interface OverHttp {
  readonly datasets: Readonly<Record<string, string>>;
  readonly checks: readonly string[];
  readonly figures: readonly Figure[];
}

/**
 * Addresses over HTTP as a user starts the service, one and 50 at a time: latencies at half of the maximum rate, in turn
 * with bare `node:http` and a body of that size at the same rate. Undefined where no dataset with address ranges is there.
 */
export async function measureOverHttp(context: SuiteContext): Promise<OverHttp | undefined> {
  const dataset = openLive(context.datasetsDir);
  if (!dataset?.addresses) return undefined;
  const { addresses } = worldOf(dataset, SEED);
  const datasets = { [`${dataset.addresses.rangeCount} ranges over HTTP`]: dataset.generation };
  dataset.release();
  const client = startLoadClient();
  const service = await startService(context);
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

function questionsOf(addresses: readonly string[]): Question[] {
  const one = addresses.map((address): KnownAsk => {
    const path = `/v1/context?address=${encodeURIComponent(address)}`;
    return { method: 'GET', path, expected: () => ({ narrative: null }) };
  });
  const batches = Array.from({ length: Math.floor(addresses.length / BATCH) }, (_, turn): KnownAsk => {
    const asked = addresses.slice(turn * BATCH, (turn + 1) * BATCH);
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
  const stream = streamOf(asks);
  const maximum: number[] = [];
  for (let turn = -COLD_SAMPLES; turn < MAXIMUM_SAMPLES; turn++) {
    const load = { kind: 'closed', connections: FEW_CONNECTIONS, seconds, keepAlive: true } as const;
    const { perSecond } = await sample(client, service, stream, load);
    if (turn >= 0) maximum.push(perSecond);
  }
  const ratePerSecond = median(maximum) / 2;
  const bare = await startYardstick('node', bodyBytes);
  const p50s = new Map<string, number[]>();
  const at = (contestant: string, server: TargetServer) => async (): Promise<number> => {
    const load = {
      kind: 'open',
      connections: CONNECTIONS,
      seconds: seconds * LONGER,
      keepAlive: true,
      ratePerSecond,
    } as const;
    const { latencies } = (await sample(client, server, stream, load)).result;
    p50s.set(contestant, [...(p50s.get(contestant) ?? []), percentileMs(latencies, 0.5)].slice(-ROUNDS));
    return percentileMs(latencies, 0.99);
  };
  try {
    const { served, constant } = await alternate(
      [
        { name: 'served', run: at('served', service) },
        { name: 'constant', run: at('constant', bare) },
      ],
      { rounds: ROUNDS, warmUps: WARM_UPS },
    );
    return [
      figure(`${name}: maximum rate`, '/s', maximum),
      figure(`${name}: p50 at half of it`, 'ms', p50s.get('served') ?? [], targets.p50),
      figure(`${name}: p50 of bare node:http at that rate`, 'ms', p50s.get('constant') ?? []),
      figure(`${name}: p99 at half of it`, 'ms', served, targets.p99),
      figure(`${name}: p99 of bare node:http at that rate`, 'ms', constant),
      ratioFigure(`${name}: p99, service : bare node:http`, served, constant),
    ];
  } finally {
    await bare.stop();
  }
}
