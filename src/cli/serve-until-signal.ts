import type { AdminPlane } from '../admin/plane.js';
import type { Administered } from '../compose/admin.js';
import {
  type Datasets,
  type GenerationReaders,
  lateReaders,
  openDatasets,
  reloadOnSignal,
} from '../compose/datasets.js';
import type { Webhooks } from '../compose/webhooks.js';
import { mistypedSettings } from '../config.js';
import { deferred } from '../core/deferred.js';
import { oneWaiting } from '../core/one-waiting.js';
import { createLogOutput, type LogOutput } from '../log.js';
import { setUpGarbageCollection } from '../platform/garbage-collection.js';
import { watchTerminal } from '../platform/terminal.js';
import type { Serving } from './serving.js';
import { endOnUnexpectedError } from './unexpected-error.js';

/** What serves, in this process or in others. */
interface Running extends Administered {
  readonly url: string;
  readonly datasets: Datasets;
  stop(): Promise<void>;
  /** Ends at once what other processes do. */
  kill?(): void;
  /** Rejects where it cannot go on. */
  readonly broken?: Promise<never>;
}

/**
 * Serves until SIGTERM, SIGINT, or the end of its terminal, then finishes what is in flight. Gives the exit code: 0, or
 * 1 where the address cannot be listened on. A second signal ends everything at once.
 */
export async function serveUntilSignal(serving: Serving): Promise<number> {
  const { config, logFd, onListening } = serving;
  // Everything is loaded by who needs it: one process has no use for the others, and their primary none for the service.
  if (config.processes > 1 && (await import('node:cluster')).default.isWorker) {
    return (await import('./serve-as-member.js')).serveAsMember(config, logFd);
  }
  const log = createLogOutput(config.logLevel, logFd);
  const { logger } = log;
  for (const { name, meant } of mistypedSettings()) {
    logger.warn(
      { event: 'setting-unknown', name, meant },
      'there is no setting of that name; one is called much like it',
    );
  }
  let running: Running | undefined;
  let admin: Pick<AdminPlane, 'close'> | undefined;
  let webhooks: Webhooks | undefined;
  endOnUnexpectedError(log, () => running?.kill?.());
  // Listened for before anything is started, so that a signal during the start is not lost.
  const signalled = firstSignal(() => running?.kill?.());
  const terminalIsClosed = watchTerminal();
  const terminalClosed = deferred<void>();
  // Without this a signal to reload would end the process. A terminal that closes sends the same one.
  const reload = async (): Promise<void> => {
    if (terminalIsClosed()) terminalClosed.resolve();
    else if (running) await reloadOnSignal({ ...running.datasets, state: running.state, logger });
  };
  process.on('SIGHUP', oneWaiting(reload));
  try {
    const readers = lateReaders();
    running = await start(serving, log, readers);
    webhooks = await (await import('../compose/webhooks.js')).openWebhooks(config, log, running);
    readers.attach(webhooks.readers);
    await webhooks.started;
    const administered = { ...running, webhooks: webhooks.admin };
    admin = await (await import('../compose/admin.js')).openAdmin(config, log, administered);
    logger.info({ event: 'listening', url: running.url }, 'listening');
    onListening?.(running.url);
    await Promise.race([signalled, terminalClosed.promise, ...(running.broken ? [running.broken] : [])]);
    // Requests go on being answered while the last deliveries, and what maintainers wait for, end.
    await Promise.all([admin.close(config.shutdownTimeoutMs), webhooks.stop(config.shutdownTimeoutMs)]);
    await running.stop();
    logger.info({ event: 'stopped' }, 'stopped');
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error({ reason }, running ? 'the service cannot go on' : 'the service cannot start');
    await admin?.close(0);
    await webhooks?.stop(0);
    await running?.stop();
    return 1;
  } finally {
    await log.end();
  }
}

async function start(serving: Serving, log: LogOutput, readers: GenerationReaders): Promise<Running> {
  if (serving.config.processes > 1)
    return (await import('./start-processes.js')).startServingProcesses(serving, log, readers);
  setUpGarbageCollection();
  return (await import('../compose.js')).startService(serving.config, log, {
    datasetsOf: (parts) => openDatasets(serving.config, log.logger, parts, readers),
  });
}

const ENDING = ['SIGTERM', 'SIGINT'] as const;

/** Resolves at the first signal to end. A second one, of either kind, ends this process as if nobody listened. */
function firstSignal(beforeEnd: () => void): Promise<void> {
  return new Promise((resolve) => {
    let isEnding = false;
    const onSignal = (name: NodeJS.Signals): void => {
      if (!isEnding) {
        isEnding = true;
        resolve();
        return;
      }
      beforeEnd();
      for (const one of ENDING) process.off(one, onSignal);
      process.kill(process.pid, name);
    };
    for (const name of ENDING) process.on(name, onSignal);
  });
}
