import type { LoadClient } from '../client/load-client.js';
import { type AskStream, sample } from '../http/sample.js';
import { MEBIBYTE } from './mebibyte.js';
import { privateDirtyOfTree } from './process-tree.js';
import { NO_PRIVATE_MEMORY, privateDirtyBytes } from './process-usage.js';
import { figure } from './rounds.js';
import { startService } from './service.js';
import type { Figure, SuiteContext } from './suite.js';

const ROUNDS = 3;
/** Compared with one: dividing by the two further ones averages out what the first additional one costs by itself. */
const MANY = 3;

/** A part that the service can have several of: worker threads, processes. */
interface ScalablePart {
  /** The flag of `serve` that sets how many there are. */
  readonly flag: string;
  /** For the report: one more of them. */
  readonly name: string;
  readonly boundMiB: number;
}

/** Private memory that each further worker thread or process costs under load; no figures if the system cannot tell. */
export async function measureMarginalMemory(
  { flag, name, boundMiB }: ScalablePart,
  context: SuiteContext,
  client: LoadClient,
  stream: AskStream,
): Promise<Figure[]> {
  if (privateDirtyBytes(process.pid) === undefined) {
    context.note(`what ${name} costs ${NO_PRIVATE_MEMORY}`);
    return [];
  }
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await dirtyUnderLoad([flag, '1'], context, client, stream);
    const many = await dirtyUnderLoad([flag, String(MANY)], context, client, stream);
    samples.push((many - one) / (MANY - 1) / MEBIBYTE);
  }
  return [figure(`${name}: private memory under load`, 'MiB', samples, { sign: '≤', bound: boundMiB })];
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
    // Read before the load ends, because idle threads give memory back.
    const reading = setTimeout(
      () => {
        bytes = privateDirtyOfTree(service.pid) ?? Number.NaN;
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
