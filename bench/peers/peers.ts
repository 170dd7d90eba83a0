import { join } from 'node:path';
import { type LoadClient, startLoadClient } from '../client/load-client.js';
import { coldAsks } from '../http/asks.js';
import { askOnce, checkAnswers } from '../http/check.js';
import { CONTEXT, type Endpoint, type KnownAsk, NEARBY, RANKINGS } from '../http/endpoints.js';
import { sample, streamOf } from '../http/sample.js';
import { worldOf } from '../http/world.js';
import { startForked } from '../lib/forked-server.js';
import { noDataset, openLive } from '../lib/live-dataset.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import { startService } from '../lib/service.js';
import { type Figure, type SuiteContext, type SuiteOutcome, WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { findDifference } from './difference.js';
import { findPostgres, startCluster } from './postgis/cluster.js';
import { loadTables } from './postgis/tables.js';

const SEED = 1;
const ROUNDS = 5;
const CHECKED_ANSWERS = 100;
const SERVER = join(import.meta.dirname, 'postgis', 'postgis-server.js');

interface Contest {
  readonly endpoint: Endpoint;
  /** The least ratio of the service's rate to the peer's. */
  readonly bound: number;
  /** The factor by which its samples are longer, so that a slow peer gives enough answers within one. */
  readonly longer: number;
}

/** The same number as in the suite `http`. */
const CONNECTIONS = 64;

const CONTESTS: readonly Contest[] = [
  { endpoint: NEARBY, bound: 10, longer: 1 },
  { endpoint: CONTEXT, bound: 5, longer: 1 },
  { endpoint: RANKINGS, bound: 500, longer: 2 },
];

/** `peers`: the likely alternative, PostGIS behind Express, on the same tracts and with the same requests. */
export async function runPeers(context: SuiteContext): Promise<SuiteOutcome> {
  const { datasetsDir, note } = context;
  const dataset = openLive(datasetsDir);
  if (!dataset) return noDataset(datasetsDir);
  const programs = findPostgres();
  if (programs === undefined) {
    return { skipped: 'PostGIS is not installed (on Debian: apt-get install postgresql postgresql-15-postgis-3)' };
  }
  const stops: (() => Promise<void>)[] = [];
  try {
    const cluster = await startCluster(programs);
    stops.push(cluster.stop);
    note('loading the tracts into PostGIS');
    await loadTables(cluster, dataset);
    const peer = await startForked(SERVER, [cluster.socketDir, cluster.user]);
    stops.push(peer.stop);
    const service = await startService(context);
    stops.push(service.stop);
    const client = startLoadClient();
    stops.push(client.stop);
    const world = worldOf(dataset, SEED);
    const figures: Figure[] = [];
    const checks: string[] = [];
    for (const contest of CONTESTS) {
      note(contest.endpoint.name);
      const asks = coldAsks(contest.endpoint, world, SEED);
      checks.push(await checkAgreement(contest.endpoint.name, service, peer, asks.slice(-CHECKED_ANSWERS)));
      figures.push(...(await measure(contest, asks, { client, service, peer }, context.sampleSeconds)));
    }
    return { datasets: { [`${dataset.tracts.tractCount} tracts`]: dataset.generation }, checks, figures };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(
  { endpoint, bound, longer }: Contest,
  asks: readonly KnownAsk[],
  { client, service, peer }: { client: LoadClient; service: TargetServer; peer: TargetServer },
  sampleSeconds: number,
): Promise<Figure[]> {
  const load = { kind: 'closed', connections: CONNECTIONS, seconds: sampleSeconds * longer, keepAlive: true } as const;
  const contestant = <Name extends string>(name: Name, server: TargetServer) => {
    const stream = streamOf(asks);
    return { name, run: async () => (await sample(client, server, stream, load)).perSecond };
  };
  const rates = await alternate<'service' | 'peer'>([contestant('service', service), contestant('peer', peer)], {
    rounds: ROUNDS,
    warmUps: 1,
  });
  return [
    figure(endpoint.name, '/s', rates.service),
    figure(`${endpoint.name}: PostGIS behind Express`, '/s', rates.peer),
    ratioFigure(`${endpoint.name}: service : PostGIS behind Express`, rates.service, rates.peer, { sign: '≥', bound }),
  ];
}

/**
 * Compares the service's answers with the expected values, and the peer's answers with the service's. Throws
 * {@link WrongAnswerError} for the first difference.
 */
async function checkAgreement(
  name: string,
  service: TargetServer,
  peer: TargetServer,
  asks: readonly KnownAsk[],
): Promise<string> {
  await checkAnswers(service, asks);
  for (const ask of asks) {
    const [ours, theirs] = await Promise.all([askOnce(service, ask), askOnce(peer, ask)]);
    const difference =
      theirs.status === 200
        ? findDifference(JSON.parse(ours.body), JSON.parse(theirs.body))
        : `status ${theirs.status}`;
    if (difference !== undefined)
      throw new WrongAnswerError(`PostGIS differs from the service, ${ask.path}: ${difference}`);
  }
  return `${name}: PostGIS gives the service's answer, within rounding, ${asks.length} times`;
}
