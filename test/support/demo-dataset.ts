import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from './cli.js';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILT = join(ROOT, 'dist', 'src');
const CACHE = join(ROOT, 'node_modules', '.cache', 'tract-context');

/** Delaware, DC and Rhode Island: a few hundred tracts each, with providers and address ranges. */
const DEMO_STATES = ['10', '11', '44'] as const;

/**
 * A datasets directory with some states' synthetic tracts, made by the program's `demo` command. It is made once per build
 * of the program and shared by test files, which must not write to it.
 */
export async function demoDataset(states: readonly string[] = DEMO_STATES): Promise<string> {
  const build = buildFingerprint();
  const directory = join(CACHE, `demo-${build}-${states.join('-')}`);
  if (existsSync(join(directory, 'CURRENT'))) return directory;
  mkdirSync(CACHE, { recursive: true });
  const made = mkdtempSync(join(CACHE, `demo-${build}-making-`));
  const { code, stderr } = await runCli('demo', '--output', made, '--states', states.join());
  if (code !== 0) throw new Error(`the demo dataset could not be made: ${stderr}`);
  removeOlder(build);
  try {
    renameSync(made, directory);
  } catch (error) {
    rmSync(made, { recursive: true });
    // If it is there, another test file has made the same dataset in the meantime.
    if (!existsSync(join(directory, 'CURRENT'))) throw error;
  }
  return directory;
}

/** A hash that changes whenever the program is compiled again. */
function buildFingerprint(): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(BUILT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const { mtimeMs, size } = statSync(join(entry.parentPath, entry.name));
    hash.update(`${entry.parentPath}/${entry.name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Removes the datasets of earlier builds, but not those that are being made just now. */
function removeOlder(build: string): void {
  for (const name of readdirSync(CACHE)) {
    if (name.startsWith('demo-') && !name.startsWith(`demo-${build}`))
      rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
