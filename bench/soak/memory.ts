import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadClient } from '../client/load-client.js';
import { type AskStream, sample } from '../http/sample.js';
import { privateDirtyBytes } from '../lib/process-usage.js';
import { PROGRAM } from '../lib/program.js';
import { figure } from '../lib/rounds.js';
import { type Service, startService } from '../lib/service.js';
import type { Figure, SuiteContext } from '../lib/suite.js';

export const MEBIBYTE = 1024 ** 2;
export const MEMORY_PROBE = join(import.meta.dirname, 'memory-probe.js');
const ROUNDS = 3;
/** One, and this many: two further ones even out what the first of a kind costs. */
const MANY = 3;

/** What is left of a service's memory when all garbage is gone, bytes. Its heap is the main thread's. */
export interface MemoryLeft {
  readonly privateBytes: number;
  readonly heapBytes: number;
}

/** Has a service that was started with the probe collect its garbage. */
export async function memoryAfterCollection({ child, pid }: Service): Promise<MemoryLeft> {
  child.send('collect');
  // The probe sends nothing else.
  const [{ heapBytes }] = (await once(child, 'message')) as [{ heapBytes: number }];
  return { privateBytes: privateDirtyOfTree(pid), heapBytes };
}

/** Private memory that one more worker thread and one more process cost under load. */
export async function measureFurtherOnes(
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
): Promise<Figure[]> {
  if (privateDirtyBytes(process.pid) === undefined) {
    context.note('what a further thread or process costs is left out: this system does not tell private memory');
    return [];
  }
  const figures = [await measureFurther('--worker-threads', 'each further worker thread', 40, context, client, stream)];
  const supported = spawnSync(process.execPath, [PROGRAM, 'serve', '--processes', '2', '--print-config']).status === 0;
  if (!supported) context.note('what a further process costs is left out: this build has no --processes');
  else figures.push(await measureFurther('--processes', 'each further process', 96, context, client, stream));
  return figures;
}

async function measureFurther(
  flag: string,
  name: string,
  bound: number,
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
): Promise<Figure> {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await dirtyUnderLoad([flag, '1'], context, client, stream);
    const many = await dirtyUnderLoad([flag, String(MANY)], context, client, stream);
    samples.push((many - one) / (MANY - 1) / MEBIBYTE);
  }
  return figure(`${name}: private memory under load`, 'MiB', samples, { sign: '≤', bound });
}

async function dirtyUnderLoad(
  args: readonly string[],
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
): Promise<number> {
  const service = await startService({ ...context, args });
  try {
    const seconds = context.sampleSeconds * 2;
    let bytes = 0;
    // Before the load ends: idle threads give memory back.
    const reading = setTimeout(
      () => {
        bytes = privateDirtyOfTree(service.pid);
      },
      seconds * 1000 * 0.9,
    );
    await sample(client, service, stream, { kind: 'closed', connections: 64, seconds, keepAlive: true });
    clearTimeout(reading);
    return bytes;
  } finally {
    await service.stop();
  }
}

/** Of a process and all that it started. */
function privateDirtyOfTree(pid: number): number {
  const children = childrenOf(pid).map(privateDirtyOfTree);
  return children.reduce((sum, bytes) => sum + bytes, privateDirtyBytes(pid) ?? Number.NaN);
}

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}
