import { describeError, type LogOutput } from '../log.js';

/** The runtime would print the error's message, which can hold a piece of a request. */
export function endOnUnexpectedError({ logger, flush }: LogOutput, beforeEnd: () => void = () => {}): void {
  process.once('uncaughtException', (error) => {
    logger.error(describeError(error), 'fatal: unexpected error');
    flush();
    beforeEnd();
    process.exit(1);
  });
}
