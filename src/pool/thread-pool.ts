import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { WithGate } from '../platform/native-gate.js';

/** A Piscina pool of one thread, whose only task is to serve a port. */
export type ThreadPool = Piscina<MessagePort, void>;

/** A thread ends when it has had no port for this long. */
const IDLE_TIMEOUT_MS = 1_000;

const load = createRequire(import.meta.url);
/** Resolved at load time: if Node fails to resolve a module for want of a file descriptor, it never finds it again. */
const PISCINA = load.resolve('piscina');
const WORKER = new URL('./worker.js', import.meta.url);

/** Creates such a pool. Its thread starts with its task, behind a gate that is shut while any of the threads is terminated. */
export function createThreadPool({ gate }: WithGate, workerFile = WORKER): ThreadPool {
  // Loaded with the first thread, so that the service's first answers do not wait for it.
  const piscina: typeof import('piscina') = load(PISCINA);
  return new piscina.Piscina({
    filename: fileURLToPath(workerFile),
    name: 'serve',
    workerData: { gate } satisfies WithGate,
    // With a minimum, Piscina would replace an ended thread by itself, and throw where nobody can catch if that fails.
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIMEOUT_MS,
    recordTiming: false,
  });
}
