import { join } from 'node:path';
import { askChild } from '../lib/next-message.js';
import { privateDirtyOfTree } from '../lib/process-tree.js';
import type { Service } from '../lib/service.js';

export const MEMORY_PROBE = join(import.meta.dirname, 'memory-probe.js');

/** A service's memory after all garbage is collected, bytes: private memory of all processes, heap of the main thread. */
export interface MemoryLeft {
  /** Undefined if the system cannot tell. */
  readonly privateBytes: number | undefined;
  readonly heapBytes: number;
}

/** Makes a service that was started with the probe collect its garbage, then measures its memory. */
export async function memoryAfterCollection({ child, pid }: Service): Promise<MemoryLeft> {
  // The probe sends nothing else.
  const { heapBytes } = (await askChild(child, 'collect', 'the service')) as { heapBytes: number };
  return { privateBytes: privateDirtyOfTree(pid), heapBytes };
}
