import { once } from 'node:events';
import { join } from 'node:path';
import { privateDirtyOfTree } from '../lib/process-tree.js';
import type { Service } from '../lib/service.js';

export const MEMORY_PROBE = join(import.meta.dirname, 'memory-probe.js');

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
