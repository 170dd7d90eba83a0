import type { LoadClient } from '../client/load-client.js';
import type { Chart } from '../lib/chart.js';
import { createHistogram } from '../lib/histogram.js';
import { alternate, figure, ratioFigure } from '../lib/rounds.js';
import type { Figure } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { type AskStream, type Sample, sample } from './sample.js';

const CONNECTIONS = [1, 4, 16, 64, 256];
const ROUNDS = 3;

/** A server and the requests to send it: one line in the charts. */
export interface Line {
  readonly name: string;
  readonly server: TargetServer;
  readonly stream: AskStream;
}

/** Throughput and latency from 1 to 256 connections. */
export async function measureCurves(client: LoadClient, lines: readonly Line[], seconds: number): Promise<Chart[]> {
  const taken = new Map<string, (readonly [connections: number, sample: Sample])[]>();
  for (const connections of CONNECTIONS) {
    for (const { name, server, stream } of lines) {
      const load = { kind: 'closed', connections, seconds, keepAlive: true } as const;
      const one = await sample(client, server, stream, load);
      taken.set(name, [...(taken.get(name) ?? []), [connections, one]]);
    }
  }
  const chart = (title: string, yLabel: string, yOf: (taken: Sample) => number): Chart => ({
    title,
    xLabel: 'connections',
    yLabel,
    xScale: 'log',
    style: 'line',
    series: [...taken].map(([name, samples]) => ({
      name,
      points: samples.map(([connections, one]) => [connections, yOf(one)] as const),
    })),
  });
  return [
    chart('Throughput by connections (closed loop)', 'answers a second', ({ perSecond }) => perSecond),
    chart('p99 by connections (closed loop)', 'ms', ({ result }) => percentileMs(result.latencies, 0.99)),
  ];
}

/** Compares kept connections with a new connection for every request. */
export async function measureKeepAlive(client: LoadClient, line: Line, seconds: number): Promise<Figure[]> {
  const run = (keepAlive: boolean) => async (): Promise<number> => {
    const load = { kind: 'closed', connections: 64, seconds, keepAlive } as const;
    return (await sample(client, line.server, line.stream, load)).perSecond;
  };
  const { kept, closed } = await alternate(
    [
      { name: 'kept', run: run(true) },
      { name: 'closed', run: run(false) },
    ],
    { rounds: ROUNDS, warmUps: 1 },
  );
  return [
    figure(`${line.name}: kept connections`, '/s', kept),
    figure(`${line.name}: a connection a request`, '/s', closed),
    ratioFigure(`${line.name}: a connection a request : kept`, closed, kept, 'more'),
  ];
}

export function percentileMs(latencies: Sample['result']['latencies'], share: number): number {
  return createHistogram(latencies).percentile(share) / 1000;
}
