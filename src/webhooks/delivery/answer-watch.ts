import type { ChildProcess } from 'node:child_process';
import { LoggableError } from '../../core/loggable-error.js';

/** Kills a process that no longer answers: it is stopped (SIGSTOP), or caught in work that does not end. */
export interface AnswerWatch {
  /** The process has answered. */
  answered(): void;
  /** To be called when the process has ended. */
  stop(): void;
}

export interface AnswerWatchOptions {
  /** Asks the process for an answer. */
  readonly ask: () => void;
  /** Told why the process is killed. */
  readonly onError: (error: SilentProcessError) => void;
}

/** A process has not answered for too long. */
class SilentProcessError extends LoggableError {
  override readonly name = 'SilentProcessError';
}

const ASK_MS = 10_000;
/** So many questions may be unanswered when the next one is due. */
const MOST_UNANSWERED = 2;

/**
 * Asks every ten seconds, and kills the process when it has not answered for 30 seconds. Counts questions rather than time,
 * so that a pause of this process, or of the whole machine, does not look like one of the other.
 */
export function watchAnswers(child: ChildProcess, { ask, onError }: AnswerWatchOptions): AnswerWatch {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered > MOST_UNANSWERED) {
      clearInterval(timer);
      onError(new SilentProcessError(`process ${child.pid} does not answer any more and is killed`));
      child.kill('SIGKILL');
      return;
    }
    unanswered++;
    ask();
  }, ASK_MS).unref();
  return {
    answered: () => {
      unanswered = 0;
    },
    stop: () => clearInterval(timer),
  };
}
