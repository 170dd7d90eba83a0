import type { LoadClient } from '../client/load-client.js';
import { type Chart, latencySeries } from '../lib/chart.js';
import { type BucketCounts, createHistogram } from '../lib/histogram.js';
import { figure, median } from '../lib/rounds.js';
import type { Figure } from '../lib/suite.js';
import { type Line, percentileMs } from './curves.js';
import { sample, sampleAnyStatus } from './sample.js';

/** Shares of what the service can do at most. */
const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9];
const HALF = 0.5;
const CONNECTIONS = 256;
const ROUNDS = 3;
/** Seconds of a fixed rate for one of a closed loop: a p99 wants many answers. */
const LONGER = 2;
const P99_MAX_MS = 5;

/** Latency where requests come at a fixed rate: p99 at half of the maximum rate, and how it grows up to nine tenths. */
export async function measureFixedRates(
  client: LoadClient,
  lines: readonly Line[],
  seconds: number,
): Promise<{ readonly figures: Figure[]; readonly charts: Chart[] }> {
  const figures: Figure[] = [];
  const growth: Chart['series'][number][] = [];
  const histograms: Chart['series'][number][] = [];
  for (const line of lines) {
    const maximum = await maximumRates(client, line, seconds);
    const { points, atHalf } = await measureLine(client, line, median(maximum), seconds * LONGER);
    const percentiles = (share: number): number[] => atHalf.map((latencies) => percentileMs(latencies, share));
    const target = { sign: '≤', bound: P99_MAX_MS } as const;
    figures.push(
      figure(`${line.name}: maximum rate`, '/s', maximum),
      figure(`${line.name}: p50 at half of it`, 'ms', percentiles(0.5)),
      figure(`${line.name}: p99 at half of it`, 'ms', percentiles(0.99), target),
      figure(`${line.name}: p99.9 at half of it`, 'ms', percentiles(0.999)),
    );
    growth.push({ name: line.name, points });
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

/** p99 by share of the maximum rate, and the latencies of each round at half of it. */
async function measureLine(client: LoadClient, { server, stream }: Line, maximum: number, seconds: number) {
  const points: [number, number][] = [];
  const atHalf: BucketCounts[] = [];
  for (const share of SHARES) {
    const ratePerSecond = maximum * share;
    const load = { kind: 'open', connections: CONNECTIONS, seconds, keepAlive: true, ratePerSecond } as const;
    const isHalf = share === HALF;
    // Near its maximum a server may refuse; at half of it, it must not.
    const take = isHalf ? sample : sampleAnyStatus;
    const rounds: BucketCounts[] = [];
    for (let round = 0; round < (isHalf ? ROUNDS : 1); round++) {
      rounds.push((await take(client, server, stream, load)).result.latencies);
    }
    if (isHalf) atHalf.push(...rounds);
    points.push([share * 100, median(rounds.map((latencies) => percentileMs(latencies, 0.99)))]);
  }
  return { points, atHalf };
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
