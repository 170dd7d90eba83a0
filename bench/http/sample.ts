import type { Ask, Job, LoadResult } from '../client/job.js';
import { askAt } from '../client/laps.js';
import type { LoadClient } from '../client/load-client.js';
import { processorMs } from '../lib/process-usage.js';
import { WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';

/** Requests of which each sample takes those that the one before left: a cold cache stays cold. */
export interface AskStream {
  readonly asks: readonly Ask[];
  /** How many were taken, lap after lap; the given number is taken after them. */
  advance(count: number): number;
}

export function streamOf(asks: readonly Ask[]): AskStream {
  // What is known of the answers cannot be sent to another process, and need not be.
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
 * How long an open loop goes on before it is counted. Here the client clears up what the texts of its requests have
 * left, and V8 compiles for both: 99% of a few seconds' answers are no better than their first half second.
 */
export const LEAD_IN_SECONDS = 1;

export type Load = Pick<Job, 'kind' | 'connections' | 'seconds' | 'keepAlive' | 'ratePerSecond'>;

/** What one sample gave. */
export interface Sample {
  /** Answers a second. */
  readonly perSecond: number;
  /** Processor time that the server used for an answer of a closed loop, µs; undefined where it cannot be known. */
  readonly processorMicros: number | undefined;
  readonly result: LoadResult;
}

/** A server answered as it should, and had more to do than it could. */
export class RefusedError extends WrongAnswerError {}

/**
 * Puts load on a server. Throws {@link WrongAnswerError} where any answer is not a 200, {@link RefusedError} where all
 * others are 503.
 */
export async function sample(client: LoadClient, target: TargetServer, stream: AskStream, load: Load): Promise<Sample> {
  const taken = await sampleAnyStatus(client, target, stream, load);
  requireStatuses(target, taken, ONLY_OK);
  return taken;
}

const ONLY_OK: ReadonlySet<string> = new Set(['200']);

function requireStatuses({ url }: TargetServer, { result }: Sample, allowed: ReadonlySet<string>): void {
  const { statuses, failures } = result;
  const others = Object.entries(statuses).filter(([status]) => !allowed.has(status));
  if (others.length === 0 && failures === 0) return;
  const counts = others.map(([status, count]) => `${count} × ${status}`).join(', ') || 'nothing else';
  const refusedOnly = failures === 0 && others.every(([status]) => status === '503');
  const Problem = refusedOnly ? RefusedError : WrongAnswerError;
  throw new Problem(`under load ${url} gave ${counts}, and ${failures} requests failed`);
}

/** The same of a server that may have too much to do: 503s are no wrong answers. */
export async function sampleRefusing(...asked: Parameters<typeof sample>): Promise<Sample> {
  const taken = await sampleAnyStatus(...asked);
  requireStatuses(asked[1], taken, new Set(['200', '503']));
  return taken;
}

/** The same, whatever the answers' statuses. */
export async function sampleAnyStatus(
  client: LoadClient,
  target: TargetServer,
  stream: AskStream,
  load: Load,
): Promise<Sample> {
  const isOpen = load.kind === 'open';
  const before = processorMs(target.pid);
  const { url, headers } = target;
  const leadInSeconds = isOpen ? LEAD_IN_SECONDS : 0;
  const result = await client.run({ ...load, leadInSeconds, url, headers, ...asksFor(load, stream) });
  const after = processorMs(target.pid);
  stream.advance(isOpen ? countAtRate(load) : result.answers + load.connections);
  const usedMs = isOpen || before === undefined || after === undefined ? undefined : after - before;
  return {
    perSecond: result.answers / result.seconds,
    processorMicros: usedMs === undefined ? undefined : (usedMs * 1000) / Math.max(1, result.answers),
    result,
  };
}

/** For a fixed rate no more than it takes: a client that was sent a nation's requests would clear up while it measures. */
function asksFor(load: Load, stream: AskStream): Pick<Job, 'asks' | 'startAt'> {
  const { asks } = stream;
  const startAt = stream.advance(0);
  const count = countAtRate(load);
  if (load.kind !== 'open' || count >= asks.length) return { asks, startAt };
  return { asks: Array.from({ length: count }, (_, turn) => askAt(asks, startAt + turn)), startAt: 0 };
}

/** How many requests an open loop makes. */
function countAtRate({ seconds, ratePerSecond = 0 }: Load): number {
  return Math.ceil((LEAD_IN_SECONDS + seconds) * ratePerSecond);
}
