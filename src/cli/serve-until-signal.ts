import type { AdminPlane } from '../admin/plane.js';
import type { Administered } from '../compose/admin.js';
import { type Datasets, openDatasets } from '../compose/datasets.js';
import { type GenerationReaders, lateReaders } from '../compose/generation-readers.js';
import { reloadOnSignal } from '../compose/unattended-reloads.js';
import type { WebhookDeps, Webhooks } from '../compose/webhooks.js';
import { type Config, mistypedSettings, plaintextSettings } from '../config.js';
import { deferred } from '../core/deferred.js';
import { isEveryAddress } from '../core/listening-host.js';
import { messageOf } from '../core/message-of.js';
import { oneWaiting } from '../core/one-waiting.js';
import { createLogOutput, type Logger, type LogOutput } from '../log.js';
import { isClusterWorker, refuseStrayWorker } from '../platform/cluster-worker.js';
import { setUpGarbageCollection } from '../platform/garbage-collection.js';
import { watchTerminal } from '../platform/terminal.js';
import { requireWebAssemblyMemory } from '../platform/webassembly-memory.js';
import { describeSetting } from '../settings/settings.js';
import { isWritableByOthers } from '../state/prepare-directory.js';
import { StateError } from '../state/state-error.js';
import { requireDatasetsDirectory } from './require-datasets-directory.js';
import type { Serving } from './serving.js';
import { endOnUnexpectedError } from './unexpected-error.js';

/** The running service, in this process or in several others. */
interface Running extends Administered, WebhookDeps {
  readonly url: string;
  readonly datasets: Datasets;
  stop(): Promise<void>;
  /** Lets other processes that end before `stop` be: terminals and some supervisors signal all processes at once. */
  replaceNone?(): void;
  /** Kills the other processes at once. */
  kill?(): void;
  /** Rejects if the service cannot continue. */
  readonly broken?: Promise<never>;
}

/**
 * Serves until SIGTERM, SIGINT, or the end of its terminal, then finishes requests in flight. Returns the exit code: 0, or
 * 1 if the service cannot start or continue. A second signal ends everything at once.
 */
export async function serveUntilSignal(serving: Serving): Promise<number> {
  const { config, logFd, onListening } = serving;
  // Imports are dynamic: a single process needs no code for several, and the primary of several none for serving.
  if (config.processes > 1 && isClusterWorker()) {
    return (await import('./serve-as-member.js')).serveAsMember(config, logFd);
  }
  const log = createLogOutput(config.logLevel, logFd);
  const { logger } = log;
  warnOfSettings(config, logger);
  let running: Running | undefined;
  let admin: Pick<AdminPlane, 'close'> | undefined;
  let webhooks: Webhooks | undefined;
  endOnUnexpectedError(log, () => running?.kill?.());
  // Listeners are added before anything is started, so that a signal during the start is not lost.
  const signalled = firstSignal(() => running?.kill?.());
  const terminalIsClosed = watchTerminal();
  const terminalClosed = deferred<void>();
  /** What a reload works on, once that is complete; undefined if the start fails. */
  const started = deferred<Running | undefined>();
  // SIGHUP means a reload, unless the terminal has closed, which sends it too. Without a listener it would end the process.
  // One during the start waits: it may be about a dataset that was published after the start had looked for one.
  const reload = async (): Promise<void> => {
    if (terminalIsClosed()) {
      terminalClosed.resolve();
      return;
    }
    const service = await started.promise;
    if (service) await reloadOnSignal({ ...service.datasets, state: service.state, logger });
  };
  process.on('SIGHUP', oneWaiting(reload));
  try {
    refuseStrayWorker();
    requireWebAssemblyMemory();
    await requireDatasetsDirectory(config.datasetsDir);
    const readers = lateReaders();
    running = await start(serving, log, readers, signalled);
    if (!running) {
      started.resolve(undefined);
      logger.info({ event: 'stopped' }, 'stopped');
      return 0;
    }
    webhooks = await (await import('../compose/webhooks.js')).openWebhooks(config, log, running);
    readers.attach(webhooks.readers);
    await webhooks.started;
    started.resolve(running);
    const administered = { ...running, webhooks: webhooks.admin };
    admin = await (await import('../compose/admin.js')).openAdmin(config, log, administered);
    logger.info({ event: 'listening', url: running.url }, 'listening');
    warnOfExposure(config, running.url, logger);
    onListening?.(running.url);
    await Promise.race([signalled, terminalClosed.promise, ...(running.broken ? [running.broken] : [])]);
    running.replaceNone?.();
    // Requests are still answered while the last deliveries and admin calls end.
    await Promise.all([admin.close(config.shutdownTimeoutMs), webhooks.stop(config.shutdownTimeoutMs)]);
    webhooks.close();
    await running.stop();
    logger.info({ event: 'stopped' }, 'stopped');
    return 0;
  } catch (error) {
    started.resolve(undefined);
    const message = messageOf(error);
    // Many a directory that cannot be used is the wrong one.
    const reason = error instanceof StateError ? `${describeSetting('stateDir')}: ${message}` : message;
    logger.error({ reason }, running ? 'the service failed and stops' : 'the service cannot start');
    await admin?.close(0);
    await webhooks?.stop(0);
    webhooks?.close();
    await running?.stop();
    return 1;
  } finally {
    await log.end();
  }
}

/** Warns of variables that are probably mistyped, and of what is sent out unencrypted. */
function warnOfSettings(config: Config, logger: Logger): void {
  for (const { name, meant } of mistypedSettings()) {
    logger.warn(
      { event: 'setting-unknown', name, meant },
      'an environment variable is ignored because no setting has that name; is it a typo for the setting in "meant"?',
    );
  }
  for (const name of plaintextSettings(config)) {
    logger.warn({ event: 'plaintext-upstream', name }, 'what is sent there can be read on its way: give an https URL');
  }
}

/** Warns where clients are shown an address that they cannot use, and where other users can replace the state. */
function warnOfExposure(config: Config, url: string, logger: Logger): void {
  if (config.publicBaseUrl === '' && isEveryAddress(config.host)) {
    logger.warn(
      { event: 'public-url-unset', shown: url },
      'the reference and the texts for agents show an address that no client can use; set PUBLIC_BASE_URL',
    );
  }
  if (isWritableByOthers(config.stateDir)) {
    logger.warn(
      { event: 'state-dir-writable' },
      'other users can replace what is in STATE_DIR, the keys of this service too; give it to the user of this service, with mode 0700',
    );
  }
}

/** Undefined if the signal came before all of several processes listened: then they have ended again. */
async function start(
  serving: Serving,
  log: LogOutput,
  readers: GenerationReaders,
  signalled: Promise<void>,
): Promise<Running | undefined> {
  if (serving.config.processes > 1)
    return (await import('./start-processes.js')).startServingProcesses(serving, log, readers, signalled);
  setUpGarbageCollection();
  return (await import('../compose.js')).startService(serving.config, log, {
    datasetsOf: (deps) => openDatasets(serving.config, log.logger, deps, readers),
  });
}

const ENDING = ['SIGTERM', 'SIGINT'] as const;

/**
 * What follows the first signal within this time is the same one: Ctrl-C reaches a service that npm has started twice within
 * a millisecond, from the terminal and from npm, which passes it on.
 */
const SAME_SIGNAL_MS = 250;

/** Resolves at the first SIGTERM or SIGINT. A second one, of either kind, has its default effect: it ends this process. */
function firstSignal(beforeEnd: () => void): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = (name: NodeJS.Signals): void => {
      if (firstAtMs === undefined) {
        firstAtMs = performance.now();
        resolve();
        return;
      }
      if (performance.now() - firstAtMs < SAME_SIGNAL_MS) return;
      beforeEnd();
      for (const one of ENDING) process.off(one, onSignal);
      process.kill(process.pid, name);
    };
    for (const name of ENDING) process.on(name, onSignal);
  });
}
