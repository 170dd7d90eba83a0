/**
 * Waits until its input ends, as it does when the process that started it ends in whatever way. Then it kills every process
 * that has the directory of its argument in its environment or its arguments, and removes the directory.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const [directory = ''] = process.argv.slice(2);
if (!directory.includes('tract-context-run-')) throw new Error(`not the directory of a run: ${directory}`);

for await (const _ of process.stdin);
// What is killed may have started something just before.
while (killAll()) await delay(10);
rmSync(directory, { recursive: true, force: true, maxRetries: 5 });

/** Kills what belongs to the run; false if there is nothing left of it. Linux only: elsewhere nothing is found. */
function killAll(): boolean {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const ofTheRun = pids.filter((pid) => ['environ', 'cmdline'].some((file) => textOf(pid, file).includes(directory)));
  for (const pid of ofTheRun) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  return ofTheRun.length > 0;
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Empty if the process has ended, is another user's, or is not reaped yet. */
function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
