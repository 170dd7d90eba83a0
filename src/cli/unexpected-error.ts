import { describeError, type LogOutput } from '../log.js';

/** Logs an uncaught error and ends the process. Node itself would print the message, which can contain request data. */
export function endOnUnexpectedError({ logger, flush }: LogOutput, beforeEnd: () => void = () => {}): void {
  process.once('uncaughtException', (error) => {
    logger.error(describeError(error), 'fatal: unexpected error');
    flush();
    beforeEnd();
    process.exit(1);
  });
}
