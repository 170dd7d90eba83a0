import type { LoadResult } from '../client/job.js';
import type { LoadClient } from '../client/load-client.js';
import { type Chart, latencySeries } from '../lib/chart.js';
import { type BucketCounts, createHistogram } from '../lib/histogram.js';
import { figure, median } from '../lib/rounds.js';
import type { Figure } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import type { Line } from './curves.js';
import { type FixedRateRounds, latenciesAtHalf, p99BetweenStalls } from './fixed-rate-figures.js';
import { type Load, RefusedError, type Sample, sample, sampleAnyStatus, sampleRefusing } from './sample.js';

const HALF = 0.5;
/** Other shares of what the service can do at most. */
const OTHER_SHARES = [0.1, 0.25, 0.75, 0.9];
const CONNECTIONS = 256;
const ROUNDS = 5;
const WARM_UPS = 1;
/** Seconds of a fixed rate for one of a closed loop: a p99 wants many answers. */
const LONGER = 2;
const P99_MAX_MS = 5;
/** How often the maximum rate is measured before it is told that a server refuses at half of it. */
const MAXIMUM_TRIES = 3;

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
    const findMaximum = () => maximumRates(client, line, seconds);
    const { maximum, atHalf } = await measureHalf(client, line, { bare, findMaximum, seconds: seconds * LONGER });
    const target = { sign: '≤', bound: P99_MAX_MS } as const;
    figures.push(figure(`${line.name}: maximum rate`, '/s', maximum));
    figures.push(...latenciesAtHalf(line.name, atHalf, { p99: target }));
    const others = await measureShares(client, line, median(maximum), seconds * LONGER);
    const p99AtHalf: [number, number] = [HALF * 100, median(atHalf.service.map(p99BetweenStalls))];
    growth.push({ name: line.name, points: [...others, p99AtHalf].toSorted(([a], [b]) => a - b) });
    histograms.push(latencySeries(line.name, together(atHalf.service)));
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

export interface HalfOptions {
  /** Asked at the same rate in turn. */
  readonly bare: TargetServer | undefined;
  /** Answers a second at most, a few times. */
  readonly findMaximum: () => Promise<number[]>;
  /** Of one sample. */
  readonly seconds: number;
}

/** The maximum rate of a server, and what came of half of it. */
export interface AtHalf {
  readonly maximum: readonly number[];
  readonly atHalf: FixedRateRounds;
}

/**
 * Latencies at half of the maximum rate, of a server and of the bare one in turn. Where the server refuses any, the machine
 * has become slower by half since: all is measured anew, a few times at most. Throws `WrongAnswerError`, not for refusals.
 */
export async function measureHalf(client: LoadClient, line: Line, options: HalfOptions): Promise<AtHalf> {
  for (let tries = 1; ; tries++) {
    const maximum = await options.findMaximum();
    const take = tries < MAXIMUM_TRIES ? sample : sampleRefusing;
    try {
      return { maximum, atHalf: await alternateAtRate(client, line, options, median(maximum) * HALF, take) };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
    }
  }
}

async function alternateAtRate(
  client: LoadClient,
  { server, stream }: Line,
  { bare, seconds }: HalfOptions,
  ratePerSecond: number,
  take: typeof sample,
): Promise<FixedRateRounds> {
  const rounds: Record<keyof FixedRateRounds, LoadResult[]> = { service: [], bare: [] };
  const load = openLoad(ratePerSecond, seconds);
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const served = await take(client, server, stream, load);
    const constant = bare && (await sample(client, bare, stream, load));
    if (round < 0) continue;
    rounds.service.push(served.result);
    if (constant) rounds.bare.push(constant.result);
  }
  return rounds;
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
    points.push([share * 100, p99BetweenStalls(result)]);
  }
  return points;
}

function openLoad(ratePerSecond: number, seconds: number): Load {
  return { kind: 'open', connections: CONNECTIONS, seconds, keepAlive: true, ratePerSecond };
}

/** Answers a second at most. */
export async function maximumRates(client: LoadClient, line: Line, seconds: number): Promise<number[]> {
  return (await sampleMaximum(client, line, seconds, sample)).map(({ perSecond }) => perSecond);
}

/** As many answers as there can be: a closed loop, a few times. */
export async function sampleMaximum(
  client: LoadClient,
  { server, stream }: Line,
  seconds: number,
  take: typeof sample,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    samples.push(await take(client, server, stream, { kind: 'closed', connections: 64, seconds, keepAlive: true }));
  }
  return samples;
}

function together(rounds: readonly LoadResult[]): BucketCounts {
  const all = createHistogram();
  for (const { latencies } of rounds) all.add(latencies);
  return all.counts();
}

function chart(title: string, xLabel: string, yLabel: string, style: Chart['style'], series: Chart['series']): Chart {
  return { title, xLabel, yLabel, xScale: 'linear', style, series };
}
