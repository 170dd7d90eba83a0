import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Sees to it that a run which is cut short leaves no process behind: this one ends when the bench does. */
export function killAtExit(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  const kill = (): void => {
    child.kill(signal);
  };
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Removes a directory when the bench ends, however it ends; processes that are ending may still write to it. */
export function removeAtExit(directory: string): void {
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
}
