import { type LoadClient, startLoadClient } from '../client/load-client.js';
import type { Chart } from '../lib/chart.js';
import { noDataset, openLive } from '../lib/live-dataset.js';
import { startService } from '../lib/service.js';
import type { Figure, SuiteContext, SuiteOutcome } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { coldAsks, coldName, hotAsks, mixedAsks } from './asks.js';
import { checkAnswers } from './check.js';
import { type Line, measureCurves, measureKeepAlive } from './curves.js';
import { CONTEXT, ENDPOINTS, type Endpoint, NEARBY, TRACT } from './endpoints.js';
import { measureFixedRates } from './fixed-rate.js';
import { generationOfRunning, worldOfRunning } from './running-service.js';
import { type AskStream, streamOf } from './sample.js';
import { type Matchup, measureThroughput } from './throughput.js';
import { type World, worldOf } from './world.js';
import { startYardstick, type Yardstick } from './yardsticks.js';

const SEED = 1;
const CHECKED_ANSWERS = 100;

/**
 * The endpoints that matter most, which get more rounds and all yardsticks. By yardstick: the least ratio of the service's
 * rate with cold requests to the yardstick's.
 */
const CENTRAL: ReadonlyMap<Endpoint, Matchup['targets']> = new Map([
  [TRACT, { node: 0.5, express: 2.5 }],
  [CONTEXT, { node: 0.5, express: 2.5 }],
  [NEARBY, { node: 0.35 }],
]);
const CENTRAL_ROUNDS = 5;
const ROUNDS = 3;

/** The service under test, and what the requests to it may ask about. */
interface Subject {
  readonly server: TargetServer;
  readonly world: World;
  readonly datasets: Readonly<Record<string, string>>;
  /** Whether the service runs on this machine, so that yardsticks are comparable. */
  readonly local: boolean;
}

/** `http`: every endpoint over HTTP, against servers that only send a constant body of the same size. */
export async function runHttp(context: SuiteContext): Promise<SuiteOutcome> {
  const subject = await openSubject(context);
  if ('skipped' in subject) return subject;
  const client = startLoadClient();
  try {
    return await measure(subject, client, context);
  } finally {
    await client.stop();
    await subject.server.stop();
  }
}

async function openSubject(context: SuiteContext): Promise<Subject | { skipped: string }> {
  const { running, datasetsDir } = context;
  if (running) {
    const { url, key } = running;
    const server = { url, headers: { 'x-api-key': key }, stop: async () => {} };
    context.note(`finding the endpoints and data of ${server.url}`);
    const generation = await generationOfRunning(server);
    return { server, world: await worldOfRunning(server, SEED), datasets: { [server.url]: generation }, local: false };
  }
  const dataset = openLive(datasetsDir);
  if (!dataset) return noDataset(datasetsDir);
  const datasets = { [`${dataset.tracts.tractCount} tracts`]: dataset.generation };
  // In this order: what comes after the start of a service must not fail before there is someone to stop it.
  const world = worldOf(dataset, SEED);
  return { server: await startService(context), world, datasets, local: true };
}

async function measure(subject: Subject, client: LoadClient, context: SuiteContext): Promise<SuiteOutcome> {
  const { server, world, datasets, local } = subject;
  const { sampleSeconds, note } = context;
  const figures: Figure[] = [];
  const checks: string[] = [];
  const streams = new Map<Endpoint, AskStream>();
  for (const endpoint of ENDPOINTS.filter(({ possible }) => possible(world))) {
    note(endpoint.name);
    const asks = coldAsks(endpoint, world, SEED);
    const { count, meanBodyBytes } = await checkAnswers(server, asks.slice(-CHECKED_ANSWERS));
    checks.push(`${endpoint.name}: ${count} answers, ${meanBodyBytes} bytes each`);
    const cold = streamOf(asks);
    streams.set(endpoint, cold);
    const hot = endpoint.varies ? streamOf(hotAsks(endpoint, world, SEED)) : undefined;
    const matchup = {
      name: endpoint.name,
      cold,
      coldName: coldName(asks),
      hot,
      bodyBytes: meanBodyBytes,
      ...contest(endpoint, local),
    };
    figures.push(...(await measureThroughput(client, server, matchup, sampleSeconds)));
  }
  const mix = mixedAsks(world, SEED);
  await checkAnswers(server, mix.slice(-CHECKED_ANSWERS));
  const line = (endpoint: Endpoint): Line => ({
    name: endpoint.name,
    server,
    stream: streams.get(endpoint) ?? streamOf(coldAsks(endpoint, world, SEED)),
  });
  const lines = [line(TRACT), line(CONTEXT), line(NEARBY), { name: 'mix', server, stream: streamOf(mix) }];
  const rest = await measureLines(client, lines, local, context);
  return { datasets, checks, figures: [...figures, ...rest.figures], charts: rest.charts };
}

/** The yardsticks that an endpoint is compared with, the number of rounds, and the targets. */
function contest(
  endpoint: Endpoint,
  local: boolean,
): Pick<Matchup, 'yardsticks' | 'autocannon' | 'rounds' | 'targets'> {
  const targets = CENTRAL.get(endpoint);
  const yardsticks: readonly Yardstick[] = targets ? ['node', 'express', 'fastify'] : ['node'];
  return {
    yardsticks: local ? yardsticks : [],
    autocannon: targets !== undefined,
    rounds: targets ? CENTRAL_ROUNDS : ROUNDS,
    targets: targets ?? {},
  };
}

/** The measurements beyond one number per endpoint: connections, keep-alive, fixed rates. */
async function measureLines(
  client: LoadClient,
  lines: readonly Line[],
  local: boolean,
  { sampleSeconds, note }: SuiteContext,
): Promise<{ figures: Figure[]; charts: Chart[] }> {
  note('1 to 256 connections');
  const [first] = lines;
  const bare = local ? await startYardstick('node', 1000) : undefined;
  try {
    const withBare =
      bare && first ? [...lines, { name: 'bare node:http, 1000 bytes', server: bare, stream: first.stream }] : lines;
    const curves = await measureCurves(client, withBare, sampleSeconds);
    note('with and without keep-alive');
    const keepAlive = first ? await measureKeepAlive(client, first, sampleSeconds) : [];
    note('fixed rates');
    const fixed = await measureFixedRates(client, { lines, seconds: sampleSeconds, bare });
    return { figures: [...keepAlive, ...fixed.figures], charts: [...curves, ...fixed.charts] };
  } finally {
    await bare?.stop();
  }
}
