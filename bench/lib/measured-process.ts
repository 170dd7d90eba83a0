import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { killAtExit } from './at-exit.js';

const PROBE = pathToFileURL(join(import.meta.dirname, 'usage-probe.js')).href;

/** The time and memory that a process took, and its output. */
export interface ProcessCost {
  /** From just before the process is spawned to its exit. */
  readonly wallMs: number;
  readonly peakRssBytes: number;
  readonly stdout: string;
}

/** The slowest of the measured processes takes a tenth of this on two cores. */
const TIMEOUT_MS = 20 * 60_000;

/**
 * Runs a script in its own Node process. Rejects, with the end of its stderr, if the process fails or does not finish in
 * time.
 */
export async function measureProcess(script: string, args: readonly string[]): Promise<ProcessCost> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', PROBE, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  killAtExit(child);
  const exit = new Promise<{ code: number | null; wallMs: number }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, wallMs: performance.now() - startedAt }));
  });
  const [output, errors, peakRssKib, { code, wallMs }] = await Promise.all([
    allOf(child.stdio[1]),
    allOf(child.stdio[2]),
    allOf(child.stdio[3]),
    exit,
  ]);
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}:\n${errors.slice(-2000)}`);
  return { wallMs, peakRssBytes: Number(peakRssKib) * 1024, stdout: output };
}

/** Reads a child's pipe to its end. */
async function allOf(pipe: unknown): Promise<string> {
  if (!(pipe instanceof Readable)) throw new TypeError('the child has no such pipe');
  return text(pipe);
}
