import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const PROBE = pathToFileURL(join(import.meta.dirname, 'usage-probe.js')).href;

/** What a process cost. */
export interface ProcessCost {
  /** From before it was started to its end. */
  readonly wallMs: number;
  readonly peakRssBytes: number;
  readonly stdout: string;
}

/** The longest of them takes a tenth of it on two cores. */
const TIMEOUT_MS = 20 * 60_000;

/**
 * Runs a script in a Node process of its own. Rejects with what it said on stderr where it fails or does not come to an
 * end.
 */
export async function measureProcess(script: string, args: readonly string[]): Promise<ProcessCost> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', PROBE, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
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

/** Everything that comes out of a child's pipe. */
async function allOf(pipe: unknown): Promise<string> {
  if (!(pipe instanceof Readable)) throw new TypeError('the child has no such pipe');
  return text(pipe);
}
