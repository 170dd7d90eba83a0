/**
 * Part of the build: joins the compiled modules and the packages they use into a few files, `dist/program/`. Node takes
 * about half a millisecond to find and link a module; the service has over 700 of them, its packages' included.
 */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const COMPILED = join(import.meta.dirname, '..');
const PROGRAM = join(COMPILED, '..', 'program');

/** Packages that find binaries, workers or data beside their own files. */
const KEPT_APART = ['koffi', 'lmdb', '@node-rs/xxhash', 'piscina', 'us-atlas'];

const isKeptApart = (id: string): boolean => KEPT_APART.some((name) => id === name || id.startsWith(`${name}/`));

/** Each thread is a program of its own: files shared with the main one would come to it in many small pieces. */
const PROGRAMS: readonly Readonly<Record<string, string>>[] = [
  { main: 'cli/main.js', admin: 'admin/client.js' },
  { worker: 'pool/worker.js' },
  { 'check-thread': 'catalog/check-thread.js' },
  { 'outlines-thread': 'load/outlines-thread.js' },
  { 'shapes-thread': 'load/shapes-thread.js' },
  { 'sort-thread': 'narrative/sort-thread.js' },
  { 'dispatcher-process': 'webhooks/dispatcher-process.js' },
];

async function makeProgram(entries: Readonly<Record<string, string>>): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(COMPILED, file)])),
    platform: 'node',
    external: isKeptApart,
    // Bottleneck hides its optional `require('redis')` from bundlers that way, on purpose.
    checks: { eval: false },
  });
  // All in one folder, since what starts a thread looks for its file beside itself.
  await bundle.write({ dir: PROGRAM, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
}

rmSync(PROGRAM, { recursive: true, force: true });
for (const entries of PROGRAMS) await makeProgram(entries);
// The compiler and the bundler do not keep the mode that a package's bin needs. Both are made executable, since npx
// remembers for each checkout where its bin was when it was first asked for.
for (const main of [join(PROGRAM, 'main.js'), join(COMPILED, 'cli', 'main.js')]) chmodSync(main, 0o755);
