import type { Ask, LoadResult } from '../client/job.js';
import type { LoadClient } from '../client/load-client.js';
import { type Line, percentileMs } from '../http/curves.js';
import { sampleMaximum } from '../http/fixed-rate.js';
import { sampleAnyStatus, streamOf } from '../http/sample.js';
import type { Chart } from '../lib/chart.js';
import { MEBIBYTE } from '../lib/mebibyte.js';
import { NO_PRIVATE_MEMORY } from '../lib/process-usage.js';
import { figure, median } from '../lib/rounds.js';
import type { Service } from '../lib/service.js';
import type { Figure } from '../lib/suite.js';
import { type MemoryLeft, memoryAfterCollection } from './memory.js';

const SHARE = 0.8;
const MAX_GROWTH_MIB = 5;
/** Memory is first measured after this time, when caches are full and code is compiled; after half of a shorter soak. */
const SETTLING_SECONDS = 60;
/** The number of measurements of memory after the first one. */
const LOOKS = 5;

/** One measurement of memory. */
export interface Look {
  /** Seconds of load at 80% before this measurement. */
  readonly seconds: number;
  readonly left: MemoryLeft;
}

interface SoakLength {
  readonly totalSeconds: number;
  /** Duration of one closed-loop sample, which measures the maximum rate. */
  readonly sampleSeconds: number;
  /** Shows progress at the terminal. */
  readonly note: (text: string) => void;
}

interface Soaked {
  readonly maximumRates: readonly number[];
  readonly looks: readonly Look[];
  readonly p99s: readonly number[];
  /** Answers with a status other than 200, and requests without an answer, those among them that were never sent. */
  readonly wrong: number;
}

/** Runs load at 80% of the maximum rate and measures the growth of memory, each time while the service is idle. */
export async function measureGrowth(
  service: Service,
  client: LoadClient,
  asks: readonly Ask[],
  length: SoakLength,
): Promise<{ readonly figures: Figure[]; readonly chart: Chart }> {
  const line = { name: 'mix', server: service, stream: streamOf(asks) };
  const soaked = await soak(service, client, line, length);
  if (soaked.looks.some(({ left }) => left.privateBytes === undefined)) {
    length.note(`the growth of private memory ${NO_PRIVATE_MEMORY}`);
  }
  const minutes = Number((length.totalSeconds / 60).toFixed(2));
  return {
    figures: [
      figure(`${line.name}: maximum rate`, '/s', soaked.maximumRates),
      figure(`${minutes} min at ${SHARE * 100}%: p99`, 'ms', soaked.p99s),
      figure('answers other than 200, and requests without an answer', 'answers', [soaked.wrong], {
        sign: '≤',
        bound: 0,
      }),
      ...growthFigures(soaked.looks),
    ],
    chart: growthChart(soaked.looks),
  };
}

async function soak(
  service: Service,
  client: LoadClient,
  line: Line,
  { totalSeconds, sampleSeconds }: SoakLength,
): Promise<Soaked> {
  const settlingSeconds = Math.min(SETTLING_SECONDS, totalSeconds / 2);
  const lapSeconds = (totalSeconds - settlingSeconds) / LOOKS;
  const allRates: number[] = [];
  const looks: Look[] = [];
  const p99s: number[] = [];
  let wrong = 0;
  for (let look = 0; look <= LOOKS; look++) {
    // Measured anew each time: a machine's speed may change by half within ten minutes. Other statuses do not end the soak.
    const samples = await sampleMaximum(client, line, sampleSeconds, sampleAnyStatus);
    const rates = samples.map(({ perSecond }) => perSecond);
    allRates.push(...rates);
    wrong += samples.reduce((sum, { result }) => sum + wrongIn(result), 0);
    const ratePerSecond = median(rates) * SHARE;
    const seconds = look === 0 ? settlingSeconds : lapSeconds;
    const load = { kind: 'open', connections: 256, seconds, keepAlive: true, ratePerSecond } as const;
    const { result } = await sampleAnyStatus(client, service, line.stream, load);
    p99s.push(percentileMs(result.latencies, 0.99));
    wrong += wrongIn(result);
    looks.push({ seconds: settlingSeconds + look * lapSeconds, left: await memoryAfterCollection(service) });
  }
  return { maximumRates: allRates, looks, p99s, wrong };
}

function wrongIn({ answers, statuses, failures, neverSent }: LoadResult): number {
  return answers - (statuses['200'] ?? 0) + failures + neverSent;
}

/** How much memory has grown; private memory only where the system tells it. */
export function growthFigures(looks: readonly Look[]): Figure[] {
  const settled = looks[0]?.left;
  const last = looks.at(-1)?.left;
  if (!settled || !last) return [];
  const target = { sign: '≤', bound: MAX_GROWTH_MIB } as const;
  const [from, to] = [settled.privateBytes, last.privateBytes];
  return [
    ...(from === undefined || to === undefined
      ? []
      : [
          figure('private memory when settled, after a collection', 'MiB', [from / MEBIBYTE]),
          figure('growth of private memory', 'MiB', [(to - from) / MEBIBYTE], target),
        ]),
    figure('growth of the main heap', 'MiB', [(last.heapBytes - settled.heapBytes) / MEBIBYTE], target),
  ];
}

export function growthChart(looks: readonly Look[]): Chart {
  const points = (bytesOf: (left: MemoryLeft) => number | undefined): Chart['series'][number]['points'] =>
    looks.flatMap(({ seconds, left }) => {
      const bytes = bytesOf(left);
      return bytes === undefined ? [] : [[seconds, bytes / MEBIBYTE] as const];
    });
  return {
    title: 'Memory after a forced collection',
    xLabel: 'seconds of load at 80%',
    yLabel: 'MiB',
    xScale: 'linear',
    style: 'line',
    series: [
      { name: 'private', points: points(({ privateBytes }) => privateBytes) },
      { name: 'main heap', points: points(({ heapBytes }) => heapBytes) },
    ].filter((series) => series.points.length > 0),
  };
}
