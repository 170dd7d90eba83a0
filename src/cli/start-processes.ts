import { findPublished } from '../catalog/published.js';
import type { Administered } from '../compose/admin.js';
import { endOnBrokenState } from '../compose/broken-state.js';
import { absenceEvents } from '../compose/catalog.js';
import { type Datasets, openDatasets } from '../compose/datasets.js';
import type { GenerationReaders } from '../compose/generation-readers.js';
import type { WebhookDeps } from '../compose/webhooks.js';
import { createKeyUsage } from '../keys/key-usage.js';
import type { LogOutput } from '../log.js';
import { administeredByAll } from '../processes/admin-questions.js';
import { createTallies } from '../processes/memory/tallies.js';
import { type Processes, startProcesses } from '../processes/primary.js';
import { answerLiveInAll, servedByAll } from '../processes/primary-datasets.js';
import { reconcileDatasets } from '../processes/reconcile-datasets.js';
import { openState } from '../state/open-state.js';
import type { Serving } from './serving.js';

/** How long a process may take, beyond the time for its requests, to close everything and end. */
const CLOSING_MS = 5_000;

/** All serving processes, and what is shared by them. */
interface ServingProcesses extends Processes, Administered, Pick<WebhookDeps, 'counters'> {
  readonly datasets: Datasets;
}

/**
 * Starts the serving processes, each as `serve` with the same settings, and logs when one ends or is replaced. Undefined if
 * they have ended again because `unwanted` resolved before all of them listened.
 */
export async function startServingProcesses(
  serving: Serving,
  { logger }: LogOutput,
  readers: GenerationReaders,
  unwanted: Promise<void>,
): Promise<ServingProcesses | undefined> {
  const { config, logFd, flags, environment = {} } = serving;
  const tallies = createTallies(config.processes);
  const { counters } = tallies;
  // For the admin plane; to answer requests, each process opens the state itself.
  const state = await openState(config.stateDir, { onBroken: endOnBrokenState(logger) });
  let processes: Processes | undefined;
  // All processes start with the same generation, whatever is published meanwhile.
  const served = servedByAll(() => processes, findPublished(config.datasetsDir).generation);
  const datasets = openDatasets(config, logger, { served, state, counters }, readers);
  const { datasetsDir } = config;
  const reconciliation = reconcileDatasets({
    datasetsDir,
    served,
    inTurn: datasets.admin.inTurn,
    events: absenceEvents(logger, datasetsDir),
  });
  processes = await startProcesses({
    count: config.processes,
    tallies,
    args: ['serve', ...flags],
    environment,
    logFd,
    stopTimeoutMs: config.shutdownTimeoutMs + CLOSING_MS,
    unwanted,
    attach: (link) => answerLiveInAll(link, served),
    events: {
      ended: (pid, { code, signal, reason }) =>
        logger.error(
          { event: 'process-ended', pid, code, signal, ...(reason && { reason }) },
          'a process ended unexpectedly',
        ),
      late: (pid) =>
        logger.warn({ event: 'process-late', pid }, 'a process does not listen yet, a minute after it was started'),
      replaced: (pid, url) => {
        logger.info({ event: 'process-replaced', pid, url }, 'a new process replaced it');
        reconciliation.start();
      },
    },
  }).catch(async (error: unknown) => {
    await state.close();
    throw error;
  });
  if (!processes) {
    await state.close();
    return undefined;
  }
  reconciliation.start();
  const { stop } = processes;
  return {
    ...processes,
    ...administeredByAll(processes),
    datasets,
    state,
    counters,
    usage: createKeyUsage({ state, nowMs: Date.now }),
    stop: async () => {
      reconciliation.stop();
      const ended = datasets.stop();
      // Makes each process give up a generation that it is preparing, which `ended` waits for.
      await stop();
      await ended;
      await state.close();
    },
  };
}
