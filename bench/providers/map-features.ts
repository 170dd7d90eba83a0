import type { ProvidersFile } from '../../src/format/providers-file.js';
import type { Ask } from '../client/job.js';
import { type LoadClient, startLoadClient } from '../client/load-client.js';
import { askOnce, unexpectedStatus } from '../http/check.js';
import { type AskStream, type Load, sample, streamOf } from '../http/sample.js';
import { startYardstick } from '../http/yardsticks.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import { type Figure, type SuiteContext, WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { askFullBoxes, askSeaBoxes } from './map-boxes.js';

const LIMIT = 2000;
/** A number of boxes small enough for the cache to hold their bodies. */
const CACHED = 20;
const CHECKED = 20;
const CONNECTIONS = 16;
const ROUNDS = 5;
/** V8 optimizes only code that is called often, and samples of large answers alone call it too rarely. */
const WARM_UP_SAMPLES = 4;

/** Map boxes with 2,000 features over HTTP, against a server that sends a constant body of that size. */
export async function measureMap(
  providers: ProvidersFile,
  context: SuiteContext,
): Promise<{ checks: string[]; figures: Figure[] }> {
  const asks = askFullBoxes(providers, LIMIT);
  const service = await startService(context);
  const client = startLoadClient();
  try {
    const bodyBytes = await checkedBodyBytes(service, asks.slice(0, CHECKED));
    const constant = await startYardstick('node', bodyBytes);
    try {
      return {
        checks: [`${CHECKED} of ${asks.length} boxes have ${LIMIT} features each, ${bodyBytes} bytes on average`],
        figures: await measureServers(client, service, constant, {
          asks,
          seconds: context.sampleSeconds,
          label: `${LIMIT} features of ${providers.providerCount / 1e6} million`,
        }),
      };
    } finally {
      await constant.stop();
    }
  } finally {
    await client.stop();
    await service.stop();
  }
}

interface Measuring {
  readonly asks: readonly Ask[];
  readonly seconds: number;
  readonly label: string;
}

async function measureServers(
  client: LoadClient,
  service: TargetServer,
  constant: TargetServer,
  { asks, seconds, label }: Measuring,
): Promise<Figure[]> {
  const load: Load = { kind: 'closed', connections: CONNECTIONS, seconds, keepAlive: true };
  const sea = streamOf(askSeaBoxes(LIMIT));
  for (let round = 0; round < WARM_UP_SAMPLES; round++) await sample(client, service, sea, load);
  const processor: Record<string, number[]> = { served: [], bare: [] };
  const contestant = <Name extends string>(name: Name, server: TargetServer, stream: AskStream) => ({
    name,
    run: async () => {
      const { perSecond, processorMicros = Number.NaN } = await sample(client, server, stream, load);
      processor[name]?.push(processorMicros);
      return perSecond;
    },
  });
  const all = streamOf(asks);
  const { served, again, bare } = await alternate(
    [
      contestant('served', service, all),
      contestant('again', service, streamOf(asks.slice(0, CACHED))),
      contestant('bare', constant, all),
    ],
    { rounds: ROUNDS, warmUps: 1 },
  );
  // Drops the first value of each, which belongs to the warm-up round.
  const [servedMicros = [], bareMicros = []] = [processor.served?.slice(1), processor.bare?.slice(1)];
  return [
    figure(`${label}, all different`, '/s', served),
    figure(`${label}, the same ${CACHED}`, '/s', again),
    figure('node:http, a constant body of that size', '/s', bare),
    ratioFigure(`${label}, all different : constant body`, served, bare, { sign: '≥', bound: 0.5 }),
    ratioFigure(`${label}, the same ${CACHED} : constant body`, again, bare, 'more'),
    ...(servedMicros.some(Number.isNaN)
      ? []
      : [
          figure(`${label}, all different: processor time an answer`, 'µs', servedMicros),
          figure('node:http, a constant body of that size: processor time an answer', 'µs', bareMicros),
        ]),
  ];
}

/** The mean size of the answers' bodies. Throws `WrongAnswerError` if an answer does not have `LIMIT` features. */
async function checkedBodyBytes(service: Service, asks: readonly Ask[]): Promise<number> {
  let bytes = 0;
  for (const ask of asks) {
    const { status, body } = await askOnce(service, ask);
    if (status !== 200) throw unexpectedStatus(ask.path, status, body);
    const { features } = JSON.parse(body) as { features: unknown[] };
    if (features.length !== LIMIT) throw new WrongAnswerError(`${ask.path}: ${features.length} features`);
    bytes += Buffer.byteLength(body);
  }
  return Math.round(bytes / asks.length);
}
