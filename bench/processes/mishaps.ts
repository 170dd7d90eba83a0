import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadClient } from '../client/load-client.js';
import { type AskStream, sampleAnyStatus } from '../http/sample.js';
import { childrenOf } from '../lib/process-tree.js';
import { figure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import { type Figure, type SuiteContext, WrongAnswerError } from '../lib/suite.js';

const ROUNDS = 3;
const CONNECTIONS = 64;

/** A failure that is provoked in a service under load. */
interface Mishap {
  readonly name: string;
  readonly args: readonly string[];
  /** A module that the service loads first. */
  readonly preload?: string;
  /** The statuses that requests may be answered besides 200. */
  readonly allowed: readonly string[];
  /** The most requests that may fail. */
  readonly mostFailed: number;
  cause(service: Service): void;
  /** Throws {@link WrongAnswerError} if the service has not recovered, or the mishap did not happen. */
  check(service: Service): void;
}

/** `kill -9` of one of two processes under load: how many requests fail, and whether two processes run again at the end. */
export async function measureKill(
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
  args: readonly string[],
): Promise<Figure[]> {
  if (process.platform !== 'linux') {
    context.note('skipped: this system does not list the processes that a process has started');
    return [];
  }
  const mishap: Mishap = {
    name: 'kill -9 of one of two processes',
    args,
    allowed: [],
    mostFailed: CONNECTIONS,
    cause: ({ pid }) => {
      const [victim] = childrenOf(pid);
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    },
    check: ({ pid }) => {
      const running = childrenOf(pid).length;
      if (running !== 2) throw new WrongAnswerError(`after kill -9 of one of two processes ${running} run`);
    },
  };
  return measureMishap(context, client, stream, mishap);
}

/** Exit of a worker thread in the middle of a batch under load: its requests are answered 503, and it is replaced. */
export function measureWorkerExit(context: SuiteContext, client: LoadClient, stream: AskStream): Promise<Figure[]> {
  const exitFile = join(context.tempDir, 'exit-worker');
  const module = pathToFileURL(join(import.meta.dirname, 'fragile-worker.js'));
  module.search = encodeURIComponent(exitFile);
  return measureMishap(context, client, stream, {
    name: 'exit of a worker thread',
    args: ['--worker-threads', '2'],
    preload: module.href,
    allowed: ['503'],
    mostFailed: CONNECTIONS,
    cause: () => writeFileSync(exitFile, ''),
    check: () => {
      if (existsSync(exitFile)) throw new WrongAnswerError('no worker thread exited');
    },
  });
}

async function measureMishap(
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
  mishap: Mishap,
): Promise<Figure[]> {
  const { name, args, preload, allowed, mostFailed } = mishap;
  const failed: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ ...context, args, ...(preload !== undefined && { preload }) });
    const seconds = context.sampleSeconds * 2;
    const timer = setTimeout(() => mishap.cause(service), (seconds * 1000) / 2);
    try {
      const load = { kind: 'closed', connections: CONNECTIONS, seconds, keepAlive: true } as const;
      const { result } = await sampleAnyStatus(client, service, stream, load);
      const { '200': good = 0, ...others } = result.statuses;
      const wrong = Object.keys(others).filter((status) => !allowed.includes(status));
      if (wrong.length > 0) throw new WrongAnswerError(`after the ${name} there were answers ${wrong}`);
      mishap.check(service);
      failed.push(result.answers - good + result.failures);
      answered.push(good);
    } finally {
      clearTimeout(timer);
      await service.stop();
    }
  }
  return [
    figure(`${name}: requests that failed`, 'requests', failed, { sign: '≤', bound: mostFailed }),
    figure(`${name}: requests that were answered`, 'requests', answered, 'more'),
  ];
}
