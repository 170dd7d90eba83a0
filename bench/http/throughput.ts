import type { LoadClient } from '../client/load-client.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import type { Better, Figure, Target } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { type AskStream, type ClosedLoad, sample } from './sample.js';
import { startYardstick, YARDSTICK_NAMES, type Yardstick } from './yardsticks.js';

/** One kind of request, to be measured against the yardsticks, which only send a constant body. */
export interface Matchup {
  readonly name: string;
  readonly cold: AskStream;
  /** What the cold requests are, for the report. */
  readonly coldName: string;
  readonly hot: AskStream | undefined;
  readonly bodyBytes: number;
  readonly yardsticks: readonly Yardstick[];
  /** Whether autocannon gives a second opinion. */
  readonly autocannon: boolean;
  readonly rounds: number;
  /** By yardstick: the least ratio of the service's rate with cold requests to the yardstick's. */
  readonly targets: Readonly<Partial<Record<Yardstick, number>>>;
}

const CONNECTIONS = 64;
const WARM_UPS = 1;

interface Entry {
  readonly name: string;
  readonly server: TargetServer;
  readonly stream: AskStream;
  readonly kind: ClosedLoad['kind'];
}

/** Answers per second, in a closed loop over 64 connections, of the service and the yardsticks in turn. */
export async function measureThroughput(
  client: LoadClient,
  service: TargetServer,
  matchup: Matchup,
  seconds: number,
): Promise<Figure[]> {
  const { yardsticks, bodyBytes, rounds } = matchup;
  const servers = await Promise.all(yardsticks.map((kind) => startYardstick(kind, bodyBytes)));
  try {
    const entries = entriesOf(matchup, service, servers);
    const processor = new Map<string, number[]>();
    const rates = await alternate(
      entries.map(({ name, server, stream, kind }) => ({
        name,
        run: async () => {
          const taken = await sample(client, server, stream, {
            kind,
            connections: CONNECTIONS,
            seconds,
            keepAlive: true,
          });
          processor.set(name, [...(processor.get(name) ?? []), taken.processorMicros ?? Number.NaN].slice(-rounds));
          return taken.perSecond;
        },
      })),
      { rounds, warmUps: WARM_UPS },
    );
    return [...rateFigures(matchup, rates), ...processorFigures(matchup, processor)];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function entriesOf(matchup: Matchup, service: TargetServer, servers: TargetServer[]): Entry[] {
  const { cold, hot, yardsticks } = matchup;
  const entry = (name: string, server: TargetServer, stream: AskStream): Entry => ({
    name,
    server,
    stream,
    kind: 'closed',
  });
  return [
    entry('cold', service, cold),
    ...(hot ? [entry('hot', service, hot)] : []),
    ...servers.map((server, index) => entry(yardsticks[index] ?? '', server, cold)),
    ...autocannonEntries(matchup, service, servers),
  ];
}

function autocannonEntries({ autocannon, cold }: Matchup, service: TargetServer, [bare]: TargetServer[]): Entry[] {
  if (!autocannon || !bare) return [];
  return [
    { name: 'autocannon', server: service, stream: cold, kind: 'autocannon' },
    { name: 'autocannon, node', server: bare, stream: cold, kind: 'autocannon' },
  ];
}

function rateFigures(
  { name, hot, coldName, yardsticks, targets }: Matchup,
  rates: Readonly<Record<string, number[]>>,
): Figure[] {
  const of = (contestant: string): number[] => rates[contestant] ?? [];
  const autocannon = of('autocannon');
  return [
    figure(hot ? `${name}: ${coldName}` : name, '/s', of('cold')),
    ...(hot ? [figure(`${name}: the same 100`, '/s', of('hot'))] : []),
    ...yardsticks.flatMap((kind) => [
      figure(`${name}: ${YARDSTICK_NAMES[kind]}`, '/s', of(kind)),
      ratioFigure(`${name}: service : ${YARDSTICK_NAMES[kind]}`, of('cold'), of(kind), atLeast(targets[kind])),
    ]),
    ...(autocannon.length > 0
      ? [
          figure(`${name}: ${coldName}, by autocannon`, '/s', autocannon),
          ratioFigure(`${name}: service : bare node:http, by autocannon`, autocannon, of('autocannon, node'), 'more'),
        ]
      : []),
  ];
}

/** Processor time that the server uses per answer, which does not depend on whether the client keeps up. */
function processorFigures({ name }: Matchup, processor: ReadonlyMap<string, number[]>): Figure[] {
  const cold = processor.get('cold') ?? [];
  const bare = processor.get('node') ?? [];
  if (cold.some(Number.isNaN)) return [];
  return [
    figure(`${name}: processor time an answer`, 'µs', cold),
    ...(bare.length > 0 ? [ratioFigure(`${name}: processor time, bare node:http : service`, bare, cold, 'more')] : []),
  ];
}

const atLeast = (bound: number | undefined): Target | Better => (bound === undefined ? 'more' : { sign: '≥', bound });
