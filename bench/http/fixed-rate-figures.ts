import type { LoadResult } from '../client/job.js';
import { figure, ratioFigure } from '../lib/rounds.js';
import type { Figure, Target } from '../lib/suite.js';
import { percentileMs } from './curves.js';

/** Each round's results at a fixed rate, for the service and for bare `node:http`, which took turns. */
export interface FixedRateRounds {
  readonly service: readonly LoadResult[];
  readonly bare: readonly LoadResult[];
}

const BETWEEN_STALLS = ', between the machine’s stalls';

/**
 * Latencies at half of the maximum rate: all of them and, if the machine's stalls were observed, those between the stalls.
 * The target for p99 applies to the latter.
 */
export function latenciesAtHalf(
  name: string,
  { service, bare }: FixedRateRounds,
  targets: Readonly<Partial<Record<'p50' | 'p99', Target>>>,
): Figure[] {
  const known = [...service, ...bare].every(({ undisturbed }) => undisturbed !== undefined);
  const between = known ? BETWEEN_STALLS : '';
  const bareName = `${name}: p99 of bare node:http at that rate`;
  return [
    figure(`${name}: p50 at half of it`, 'ms', percentiles(service, 0.5), targets.p50),
    ...(known ? [figure(`${name}: p99 at half of it`, 'ms', percentiles(service, 0.99))] : []),
    figure(`${name}: p99.9 at half of it`, 'ms', percentiles(service, 0.999)),
    figure(`${name}: p99 at half of it${between}`, 'ms', service.map(p99BetweenStalls), targets.p99),
    ...(bare.length === 0
      ? []
      : [
          ...(known ? [figure(bareName, 'ms', percentiles(bare, 0.99))] : []),
          figure(`${bareName}${between}`, 'ms', bare.map(p99BetweenStalls)),
          ratioFigure(
            `${name}: p99, service : bare node:http`,
            service.map(p99BetweenStalls),
            bare.map(p99BetweenStalls),
            'less',
          ),
        ]),
    ...(known
      ? [figure(`${name}: answers that a stall touched, left out`, '%', service.map(touchedPercent), 'less')]
      : []),
    // At half of its maximum rate a server must not refuse any request.
    ...(service.some((round) => refusedPercent(round) > 0)
      ? [figure(`${name}: refused at half of it`, '%', service.map(refusedPercent), { sign: '≤', bound: 0 } as const)]
      : []),
  ];
}

/** p99 in ms, without the answers that the machine's stalls touched if the stalls were observed. */
export function p99BetweenStalls({ latencies, undisturbed }: LoadResult): number {
  return percentileMs((undisturbed ?? { latencies }).latencies, 0.99);
}

function percentiles(rounds: readonly LoadResult[], share: number): number[] {
  return rounds.map(({ latencies }) => percentileMs(latencies, share));
}

function touchedPercent({ undisturbed }: LoadResult): number {
  return undisturbed === undefined ? Number.NaN : (1 - undisturbed.share) * 100;
}

function refusedPercent({ answers, statuses }: LoadResult): number {
  return (100 * (statuses['503'] ?? 0)) / Math.max(1, answers);
}
