import type { LoadResult } from '../client/job.js';
import type { LoadClient } from '../client/load-client.js';
import { type Chart, latencySeries } from '../lib/chart.js';
import { type BucketCounts, createHistogram } from '../lib/histogram.js';
import { figure, median } from '../lib/rounds.js';
import type { Figure } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import type { Line } from './curves.js';
import { type FixedRateRounds, latenciesAtHalf, p99BetweenStalls } from './fixed-rate-figures.js';
import { type OpenLoad, RefusedError, type Sample, sample, sampleAnyStatus, sampleRefusing } from './sample.js';

const HALF = 0.5;
/** The other shares of the maximum rate that are measured. */
const OTHER_SHARES = [0.1, 0.25, 0.75, 0.9];
const CONNECTIONS = 256;
/** Samples of the maximum rate. */
const MAXIMUM_ROUNDS = 5;
/** Samples at half of it. A host's slow moment decides the p99 of a whole sample, so that few samples have no steady median. */
const ROUNDS = 9;
/** Samples that are discarded first: V8 goes on compiling for some ten seconds after a server's first request. */
const WARM_UPS = 2;
/** How many times longer a fixed-rate sample is than a closed-loop one: a p99 needs many answers. */
const LONGER = 2;
const P99_MAX_MS = 5;
/** How many maximum rates are tried before refusals at half of one are reported as a result. */
const MAXIMUM_TRIES = 3;

/** The servers to measure at fixed rates, and the bare one to compare them with. */
export interface FixedRates {
  readonly lines: readonly Line[];
  /** Duration of one closed-loop sample. */
  readonly seconds: number;
  /** Takes turns at the same rate; shows what the machine and the client add to every latency. */
  readonly bare: TargetServer | undefined;
}

/** Measures latencies at fixed rates: p99 at half of the maximum rate, and its growth up to nine tenths of it. */
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
  /** Takes turns with the server at the same rate. */
  readonly bare: TargetServer | undefined;
  /** Measures the maximum rate (answers per second) a few times. */
  readonly findMaximum: () => Promise<number[]>;
  /** Duration of one sample. */
  readonly seconds: number;
}

/** A server's maximum rate, and the results at half of it. */
export interface AtHalf {
  readonly maximum: readonly number[];
  readonly atHalf: FixedRateRounds;
}

/** Measures latencies at half of the maximum rate, of a server and the bare one in turn. */
export async function measureHalf(client: LoadClient, line: Line, options: HalfOptions): Promise<AtHalf> {
  const { maximum, measured } = await measureAtHalf(options.findMaximum, (rate, take) =>
    alternateAtRate(client, line, options, rate, take),
  );
  return { maximum, atHalf: measured };
}

/**
 * Measures something at half of the maximum rate (per second). If the server refuses any request, the machine has become
 * slower by half in the meantime: both are measured again, up to `MAXIMUM_TRIES` times in all, and the last time refusals
 * count as answers. Throws `WrongAnswerError` for any other wrong answer.
 */
export async function measureAtHalf<T>(
  findMaximum: () => Promise<number[]>,
  measure: (ratePerSecond: number, take: typeof sample) => Promise<T>,
): Promise<{ readonly maximum: readonly number[]; readonly measured: T }> {
  for (let tries = 1; ; tries++) {
    const maximum = await findMaximum();
    const take = tries < MAXIMUM_TRIES ? sample : sampleRefusing;
    try {
      return { maximum, measured: await measure(median(maximum) * HALF, take) };
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

/** p99 (ms) by share of the maximum rate (percent), for all shares except a half. */
async function measureShares(
  client: LoadClient,
  { server, stream }: Line,
  maximum: number,
  seconds: number,
): Promise<[number, number][]> {
  const points: [number, number][] = [];
  for (const share of OTHER_SHARES) {
    // Near its maximum rate a server may refuse requests.
    const { result } = await sampleAnyStatus(client, server, stream, openLoad(maximum * share, seconds));
    points.push([share * 100, p99BetweenStalls(result)]);
  }
  return points;
}

function openLoad(ratePerSecond: number, seconds: number): OpenLoad {
  return { kind: 'open', connections: CONNECTIONS, seconds, keepAlive: true, ratePerSecond };
}

/** A server's maximum rate in answers per second, measured a few times. */
export async function maximumRates(client: LoadClient, line: Line, seconds: number): Promise<number[]> {
  return (await sampleMaximum(client, line, seconds, sample)).map(({ perSecond }) => perSecond);
}

/** Samples a server at its maximum rate: a closed loop, a few times. */
export async function sampleMaximum(
  client: LoadClient,
  { server, stream }: Line,
  seconds: number,
  take: typeof sample,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
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
