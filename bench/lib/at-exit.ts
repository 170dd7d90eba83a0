import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

/**
 * Kills the child when the bench exits, so that an interrupted run leaves no process behind. At once, by default: what it
 * holds is discarded anyway, and a service that is told to stop while it starts would first make its state, in a directory
 * that is gone by then.
 */
export function killAtExit(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  const kill = (): void => {
    child.kill(signal);
  };
  // Before directories are removed, to which the child might still write.
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Removes a directory when the bench exits; retries, since child processes that are shutting down may still write to it. */
export function removeAtExit(directory: string): void {
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
}
