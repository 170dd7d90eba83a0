import type { LoadClient } from '../client/load-client.js';
import { type AskStream, sampleAnyStatus } from '../http/sample.js';
import { childrenOf } from '../lib/process-tree.js';
import { figure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import { type Figure, type SuiteContext, WrongAnswerError } from '../lib/suite.js';

const ROUNDS = 3;
const CONNECTIONS = 64;

/** Kills one of two processes under load: how many requests fail, and whether there are two again at the end. */
export async function measureKill(
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
  args: readonly string[],
): Promise<Figure[]> {
  if (process.platform !== 'linux') {
    context.note('left out: this system does not tell which processes a process has started');
    return [];
  }
  const failed: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ ...context, args });
    try {
      const seconds = context.sampleSeconds * 2;
      const timer = setTimeout(() => killOne(service), (seconds * 1000) / 2);
      const load = { kind: 'closed', connections: CONNECTIONS, seconds, keepAlive: true } as const;
      const { result } = await sampleAnyStatus(client, service, stream, load);
      clearTimeout(timer);
      checkOutcome(service, Object.keys(result.statuses));
      failed.push(result.failures);
      answered.push(result.answers);
    } finally {
      await service.stop();
    }
  }
  const bound = { sign: '≤', bound: CONNECTIONS } as const;
  return [
    figure('kill -9 of one of two processes: requests that failed', '', failed, bound),
    figure('kill -9 of one of two processes: requests that were answered', '', answered),
  ];
}

function killOne({ pid }: Service): void {
  const [victim] = childrenOf(pid);
  if (victim !== undefined) process.kill(victim, 'SIGKILL');
}

function checkOutcome({ pid }: Service, statuses: readonly string[]): void {
  const others = statuses.filter((status) => status !== '200');
  if (others.length > 0) throw new WrongAnswerError(`after kill -9 of one process there were answers ${others}`);
  const running = childrenOf(pid).length;
  if (running !== 2) throw new WrongAnswerError(`after kill -9 of one of two processes ${running} run`);
}
