import { startService } from '../compose.js';
import type { Config } from '../config.js';
import { createLogOutput, describeError } from '../log.js';

/**
 * Serves until SIGTERM or SIGINT, then finishes what is in flight. Gives the exit code: 0, or 1 where the address cannot
 * be listened on. A second signal ends the process at once.
 */
export async function serveUntilSignal(
  config: Config,
  logFd: 1 | 2,
  onListening: (url: string) => void = () => {},
): Promise<number> {
  const log = createLogOutput(config.logLevel, logFd);
  const { logger, flush } = log;
  // The runtime would print the error's message, which can hold a piece of a request.
  process.once('uncaughtException', (error) => {
    logger.error(describeError(error), 'fatal: unexpected error');
    flush();
    process.exit(1);
  });
  // Listened for before anything is started, so that a signal during the start is not lost.
  const signal = new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
  try {
    const service = await startService(config, log);
    onListening(service.url);
    await signal;
    await service.stop();
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error({ reason }, 'the service cannot start');
    return 1;
  } finally {
    flush();
  }
}
