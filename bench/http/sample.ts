import type { Ask, ClosedJob, Job, LoadResult, OpenJob } from '../client/job.js';
import { askAt } from '../client/laps.js';
import type { LoadClient } from '../client/load-client.js';
import { processorMs } from '../lib/process-usage.js';
import { WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';

/** A stream of requests. Each sample continues where the one before it stopped, so that a cold cache stays cold. */
export interface AskStream {
  readonly asks: readonly Ask[];
  /** Takes the next `count` requests; returns how many were taken before them, over all laps. */
  advance(count: number): number;
}

export function streamOf(asks: readonly Ask[]): AskStream {
  // Leaves out `expected`: a function cannot be sent to the load client's process, which does not need it.
  const plain = asks.map(({ method, path, lapDigitsAt, body }) => ({
    method,
    path,
    ...(lapDigitsAt === undefined ? {} : { lapDigitsAt }),
    ...(body === undefined ? {} : { body }),
  }));
  let next = 0;
  return {
    asks: plain,
    advance: (count) => {
      const position = next;
      next += count;
      return position;
    },
  };
}

/**
 * How long an open loop runs before answers are counted. In this time the client collects the garbage of encoding its
 * requests, and V8 compiles for client and server: otherwise the first half second would decide the p99 of a few seconds.
 */
export const LEAD_IN_SECONDS = 1;

type Shared = 'connections' | 'seconds' | 'keepAlive';
export type OpenLoad = Pick<OpenJob, 'kind' | 'ratePerSecond' | Shared>;
export type ClosedLoad = Pick<ClosedJob, 'kind' | Shared>;
export type Load = OpenLoad | ClosedLoad;

/** What is asked. To stop it is up to the caller. */
export type Asked = Omit<TargetServer, 'stop'>;

/** The result of one sample. */
export interface Sample {
  /** Answers per second. */
  readonly perSecond: number;
  /** Processor time that the server used per answer in a closed loop, µs; undefined if unknown, and for an open loop. */
  readonly processorMicros: number | undefined;
  readonly result: LoadResult;
}

/** An overloaded server refused requests with 503, and gave no wrong answers. */
export class RefusedError extends WrongAnswerError {}

/**
 * Puts load on a server. Throws {@link WrongAnswerError} if any answer is not a 200, and {@link RefusedError} if the only
 * other status is 503.
 */
export async function sample(client: LoadClient, target: Asked, stream: AskStream, load: Load): Promise<Sample> {
  const taken = await sampleAnyStatus(client, target, stream, load);
  requireStatuses(target, taken, ONLY_OK);
  return taken;
}

const ONLY_OK: ReadonlySet<string> = new Set(['200']);

function requireStatuses({ url }: Asked, { result }: Sample, allowed: ReadonlySet<string>): void {
  const { statuses, failures, neverSent } = result;
  const others = Object.entries(statuses).filter(([status]) => !allowed.has(status));
  const lost = failures + neverSent;
  if (others.length === 0 && lost === 0) return;
  const counts = others.map(([status, count]) => `${count} × ${status}`).join(', ') || 'nothing else';
  const refusedOnly = lost === 0 && others.every(([status]) => status === '503');
  const Problem = refusedOnly ? RefusedError : WrongAnswerError;
  const unsent = neverSent === 0 ? '' : `, and ${neverSent} were never sent because no connection became free`;
  throw new Problem(`under load ${url} gave ${counts}, and ${failures} requests failed${unsent}`);
}

/** The same for a server that may be overloaded: a 503 is not a wrong answer. */
export async function sampleRefusing(...asked: Parameters<typeof sample>): Promise<Sample> {
  const taken = await sampleAnyStatus(...asked);
  requireStatuses(asked[1], taken, new Set(['200', '503']));
  return taken;
}

/** The same, but accepts any status. */
export async function sampleAnyStatus(
  client: LoadClient,
  target: Asked,
  stream: AskStream,
  load: Load,
): Promise<Sample> {
  const before = processorMs(target.pid);
  const { url, headers } = target;
  const job = load.kind === 'open' ? { ...load, leadInSeconds: LEAD_IN_SECONDS } : load;
  const result = await client.run({ ...job, url, headers, ...asksFor(load, stream) });
  const after = processorMs(target.pid);
  stream.advance(load.kind === 'open' ? countAtRate(load) : result.answers + load.connections);
  const usedMs = load.kind === 'open' || before === undefined || after === undefined ? undefined : after - before;
  return {
    perSecond: result.answers / result.seconds,
    processorMicros: usedMs === undefined ? undefined : (usedMs * 1000) / Math.max(1, result.answers),
    result,
  };
}

/**
 * The requests to send to the client: for a fixed rate only as many as it takes, because a client with a whole nation's
 * requests would collect garbage while it measures.
 */
function asksFor(load: Load, stream: AskStream): Pick<Job, 'asks' | 'startAt'> {
  const { asks } = stream;
  const startAt = stream.advance(0);
  if (load.kind !== 'open') return { asks, startAt };
  const count = countAtRate(load);
  // A share of the maximum rate: the server gave no answer within the samples that measured that.
  if (count === 0)
    throw new Error('nothing was answered within a sample, so that no rate is known: use more --seconds');
  if (count >= asks.length) return { asks, startAt };
  return { asks: Array.from({ length: count }, (_, turn) => askAt(asks, startAt + turn)), startAt: 0 };
}

/** The number of requests that an open loop sends. */
function countAtRate({ seconds, ratePerSecond }: OpenLoad): number {
  return Math.ceil((LEAD_IN_SECONDS + seconds) * ratePerSecond);
}
