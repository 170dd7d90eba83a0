import type { LoadClient } from '../client/load-client.js';
import { type Chart, latencySeries } from '../lib/chart.js';
import { type BucketCounts, createHistogram } from '../lib/histogram.js';
import { figure, median, ratioFigure } from '../lib/rounds.js';
import type { Figure } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import { type Line, percentileMs } from './curves.js';
import { type Load, sample, sampleAnyStatus } from './sample.js';

const HALF = 0.5;
/** Other shares of what the service can do at most. */
const OTHER_SHARES = [0.1, 0.25, 0.75, 0.9];
const CONNECTIONS = 256;
const ROUNDS = 3;
/** Seconds of a fixed rate for one of a closed loop: a p99 wants many answers. */
const LONGER = 2;
const P99_MAX_MS = 5;

/** What is measured at fixed rates, and beside what. */
export interface FixedRates {
  readonly lines: readonly Line[];
  /** Seconds of a closed loop. */
  readonly seconds: number;
  /** Asked at the same rate in turn: what the machine and the client add to every latency. */
  readonly bare: TargetServer | undefined;
}

/** Latency where requests come at a fixed rate: p99 at half of the maximum rate, and how it grows up to nine tenths. */
export async function measureFixedRates(
  client: LoadClient,
  { lines, seconds, bare }: FixedRates,
): Promise<{ readonly figures: Figure[]; readonly charts: Chart[] }> {
  const figures: Figure[] = [];
  const growth: Chart['series'][number][] = [];
  const histograms: Chart['series'][number][] = [];
  for (const line of lines) {
    const maximum = await maximumRates(client, line, seconds);
    const rate = median(maximum);
    const { atHalf, bareAtHalf } = await measureHalf(client, line, bare, rate * HALF, seconds * LONGER);
    figures.push(figure(`${line.name}: maximum rate`, '/s', maximum), ...figuresAtHalf(line.name, atHalf, bareAtHalf));
    const others = await measureShares(client, line, rate, seconds * LONGER);
    const p99AtHalf: [number, number] = [HALF * 100, median(percentiles(atHalf, 0.99))];
    growth.push({ name: line.name, points: [...others, p99AtHalf].toSorted(([a], [b]) => a - b) });
    histograms.push(latencySeries(line.name, together(atHalf)));
  }
  const ms = 'ms, from the moment the request was due';
  return {
    figures,
    charts: [
      chart('p99 by rate (open loop)', 'share of the maximum rate, percent', ms, 'line', growth),
      { ...chart('Latency at half of the maximum rate (open loop)', ms, 'percent', 'bars', histograms), xScale: 'log' },
    ],
  };
}

function figuresAtHalf(name: string, atHalf: readonly BucketCounts[], bareAtHalf: readonly BucketCounts[]): Figure[] {
  const p99 = percentiles(atHalf, 0.99);
  const bareP99 = percentiles(bareAtHalf, 0.99);
  const own = [
    figure(`${name}: p50 at half of it`, 'ms', percentiles(atHalf, 0.5)),
    figure(`${name}: p99 at half of it`, 'ms', p99, { sign: '≤', bound: P99_MAX_MS }),
    figure(`${name}: p99.9 at half of it`, 'ms', percentiles(atHalf, 0.999)),
  ];
  if (bareP99.length === 0) return own;
  return [
    ...own,
    figure(`${name}: p99 of bare node:http at that rate`, 'ms', bareP99),
    ratioFigure(`${name}: p99, service : bare node:http`, p99, bareP99),
  ];
}

/** Latencies at half of the maximum rate, of the service and of the bare server in turn. */
async function measureHalf(
  client: LoadClient,
  { server, stream }: Line,
  bare: TargetServer | undefined,
  ratePerSecond: number,
  seconds: number,
): Promise<{ readonly atHalf: BucketCounts[]; readonly bareAtHalf: BucketCounts[] }> {
  const [atHalf, bareAtHalf]: [BucketCounts[], BucketCounts[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const load = openLoad(ratePerSecond, seconds);
    // At half of its maximum a server must not refuse.
    atHalf.push((await sample(client, server, stream, load)).result.latencies);
    if (bare) bareAtHalf.push((await sample(client, bare, stream, load)).result.latencies);
  }
  return { atHalf, bareAtHalf };
}

/** p99 by share of the maximum rate, percent, but for a half. */
async function measureShares(
  client: LoadClient,
  { server, stream }: Line,
  maximum: number,
  seconds: number,
): Promise<[number, number][]> {
  const points: [number, number][] = [];
  for (const share of OTHER_SHARES) {
    // Near its maximum a server may refuse.
    const { result } = await sampleAnyStatus(client, server, stream, openLoad(maximum * share, seconds));
    points.push([share * 100, percentileMs(result.latencies, 0.99)]);
  }
  return points;
}

function openLoad(ratePerSecond: number, seconds: number): Load {
  return { kind: 'open', connections: CONNECTIONS, seconds, keepAlive: true, ratePerSecond };
}

function percentiles(rounds: readonly BucketCounts[], share: number): number[] {
  return rounds.map((latencies) => percentileMs(latencies, share));
}

/** Answers a second at most: a closed loop, a few times. */
export async function maximumRates(client: LoadClient, { server, stream }: Line, seconds: number): Promise<number[]> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const load = { kind: 'closed', connections: 64, seconds, keepAlive: true } as const;
    rates.push((await sample(client, server, stream, load)).perSecond);
  }
  return rates;
}

function together(rounds: readonly BucketCounts[]): BucketCounts {
  const all = createHistogram();
  for (const counts of rounds) all.add(counts);
  return all.counts();
}

function chart(title: string, xLabel: string, yLabel: string, style: Chart['style'], series: Chart['series']): Chart {
  return { title, xLabel, yLabel, xScale: 'linear', style, series };
}
