import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Reply, Task, WorkerSetup } from './protocol.js';

/** Worker threads that answer queries over one generation. */
export interface QueryPool {
  /** Answers a task. Throws {@link PoolError} where no thread could; any other throw is a bug in the worker. */
  run(task: Task): Promise<Reply>;
  /** Ends the threads. Tasks that are not answered yet are given up as `stopped`. */
  close(): Promise<void>;
}

/** Why the pool gave no answer. All of them pass: the same request may be sent again. */
export class PoolError extends Error {
  override readonly name = 'PoolError';

  constructor(readonly code: 'queue-full' | 'deadline' | 'stopped') {
    super(code);
  }
}

export interface QueryPoolOptions extends WorkerSetup {
  /** At most so many threads; one is kept, the others end when idle. */
  readonly threads: number;
  /** Tasks that may wait for a thread. */
  readonly queueMaxTasks: number;
  /** From the call to the answer. A thread that overruns it is ended and replaced. */
  readonly timeoutMs: number;
  /** Told of a thread that failed between tasks. */
  readonly onThreadError: (error: unknown) => void;
  /** The compiled worker; only tests that run from sources name it. */
  readonly workerFile?: URL;
}

const IDLE_TIMEOUT_MS = 60_000;

/** Starts the pool; its first thread starts in the background. */
export function createQueryPool(options: QueryPoolOptions): QueryPool {
  const setup: WorkerSetup = { datasetDirectory: options.datasetDirectory };
  const threads = new Piscina<Task, Reply>({
    filename: fileURLToPath(options.workerFile ?? new URL('./worker.js', import.meta.url)),
    name: 'answer',
    workerData: setup,
    minThreads: 1,
    maxThreads: options.threads,
    // Piscina does not count tasks that carry a deadline's signal, as all of them do here: run() counts them itself.
    maxQueue: options.queueMaxTasks,
    idleTimeout: IDLE_TIMEOUT_MS,
    recordTiming: false,
  });
  threads.on('error', options.onThreadError);
  const unansweredMax = options.threads + options.queueMaxTasks;
  let unanswered = 0;
  let closing = false;

  return {
    run: async (task) => {
      if (closing) throw new PoolError('stopped');
      if (unanswered >= unansweredMax) throw new PoolError('queue-full');
      unanswered++;
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
      try {
        return await threads.run(task, { signal: deadline.signal });
      } catch (error) {
        if (deadline.signal.aborted) throw new PoolError('deadline');
        if (closing) throw new PoolError('stopped');
        throw error;
      } finally {
        clearTimeout(timer);
        unanswered--;
      }
    },
    close: async () => {
      closing = true;
      await threads.destroy();
    },
  };
}
