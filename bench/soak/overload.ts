import type { LoadResult } from '../client/job.js';
import type { LoadClient } from '../client/load-client.js';
import { type Line, percentileMs } from '../http/curves.js';
import { maximumRates, measureAtHalf } from '../http/fixed-rate.js';
import { sampleAnyStatus } from '../http/sample.js';
import { type Chart, latencySeries } from '../lib/chart.js';
import { figure, median } from '../lib/rounds.js';
import type { Figure } from '../lib/suite.js';

/** More than the number of requests that may wait in the service, so that its queue can fill up. */
const CONNECTIONS = 1536;
const FACTOR = 2;
const MAX_P99_RATIO = 10;
/** The statuses that an overloaded service may answer. */
const ALLOWED: ReadonlySet<string> = new Set(['200', '429', '503']);

/** Sends searches at twice the maximum rate; measures how many are answered, how fast, and how the others are refused. */
export async function measureOverload(
  client: LoadClient,
  line: Line,
  { sampleSeconds, overloadSeconds }: { readonly sampleSeconds: number; readonly overloadSeconds: number },
): Promise<{ readonly figures: Figure[]; readonly chart: Chart }> {
  const { server, stream, name } = line;
  const open = { kind: 'open', connections: CONNECTIONS, keepAlive: true } as const;
  const { maximum, measured: normal } = await measureAtHalf(
    () => maximumRates(client, line, sampleSeconds),
    (ratePerSecond, take) => take(client, server, stream, { ...open, seconds: sampleSeconds * 2, ratePerSecond }),
  );
  const { result } = await sampleAnyStatus(client, server, stream, {
    ...open,
    seconds: overloadSeconds,
    ratePerSecond: median(maximum) * FACTOR,
  });
  return {
    figures: [figure(`${name}: maximum rate`, '/s', maximum), ...overloadFigures(normal.result, result)],
    chart: {
      title: 'Latency of what is answered 200 (open loop)',
      xLabel: 'ms, from the moment the request was due',
      yLabel: 'percent',
      xScale: 'log',
      style: 'bars',
      series: [
        latencySeries('half of the maximum', normal.result.latencies),
        latencySeries('twice the maximum', result.latencies),
      ],
    },
  };
}

/** How a service answered under overload, compared with half of its maximum rate. */
export function overloadFigures(normal: LoadResult, overloaded: LoadResult): Figure[] {
  const { statuses, failures, neverSent, latencies, seconds } = overloaded;
  const others = Object.entries(statuses).filter(([status]) => !ALLOWED.has(status));
  const wrong = others.reduce((sum, [, count]) => sum + count, failures);
  const p99 = percentileMs(latencies, 0.99);
  const normalP99 = percentileMs(normal.latencies, 0.99);
  return [
    figure(`twice that for ${seconds} s: answered 200`, '/s', [(statuses['200'] ?? 0) / seconds]),
    figure('twice that: answered 503', '/s', [(statuses['503'] ?? 0) / seconds]),
    figure('twice that: other statuses, or no answer', 'answers', [wrong], { sign: '≤', bound: 0 }),
    figure('twice that: never sent, as no connection was free', 'requests', [neverSent], 'less'),
    figure('twice that: p99 of what is answered 200', 'ms', [p99]),
    figure('p99 at half of the maximum', 'ms', [normalP99]),
    figure('p99 overloaded : p99 at half', '×', [p99 / normalP99], { sign: '≤', bound: MAX_P99_RATIO }),
  ];
}
