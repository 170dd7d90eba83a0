/**
 * Part of the build: joins the compiled modules and the packages they use into a few files, `dist/program/`. Node takes
 * about half a millisecond to find and link a module; the service has over 700 of them, its packages' included.
 * Whatever runs meanwhile, or is started, finds the files of the build before, or the new ones. Takes another folder to
 * put them in.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const COMPILED = join(import.meta.dirname, '..');
const PROGRAM = resolve(process.argv[2] ?? join(COMPILED, '..', 'program'));

/** Packages that find binaries, workers or data beside their own files. */
const KEPT_APART = ['koffi', 'lmdb', '@node-rs/xxhash', 'piscina', 'us-atlas'];

/** Each thread is a program of its own: files shared with the main one would come to it in many small pieces. */
const PROGRAMS: readonly Readonly<Record<string, string>>[] = [
  { main: 'cli/main.js' },
  { admin: 'admin/client.js' },
  { worker: 'pool/worker.js' },
  { 'check-thread': 'catalog/check-thread.js' },
  { 'outlines-thread': 'load/outlines-thread.js' },
  { 'shapes-thread': 'load/shapes-thread.js' },
  { 'sort-thread': 'narrative/sort-thread.js' },
  { 'dispatcher-process': 'webhooks/dispatcher-process.js' },
];

/**
 * Of the client that other programs use, its packages, too: their `instanceof TRPCClientError` is to hold, and undici, which
 * the main program has already, is a megabyte.
 */
const KEPT_APART_OF_ADMIN = [...KEPT_APART, '@trpc/client', 'undici'];

const isOneOf = (packages: readonly string[]) => (id: string) =>
  packages.some((name) => id === name || id.startsWith(`${name}/`));

async function makeProgram(entries: Readonly<Record<string, string>>, dir: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(COMPILED, file)])),
    platform: 'node',
    external: isOneOf('admin' in entries ? KEPT_APART_OF_ADMIN : KEPT_APART),
    // Bottleneck hides its optional `require('redis')` from bundlers that way, on purpose.
    checks: { eval: false },
  });
  // All in one folder, since what starts a thread looks for its file beside itself.
  await bundle.write({ dir, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
}

/** Puts files in the place of those that are there, each by one rename: first what has a name of its own content. */
function replaceFiles(from: string, to: string): void {
  const entries = new Set(PROGRAMS.flatMap((program) => Object.keys(program)).map((name) => `${name}.js`));
  const made = readdirSync(from).sort((one, other) => Number(entries.has(one)) - Number(entries.has(other)));
  mkdirSync(to, { recursive: true });
  for (const name of made) renameSync(join(from, name), join(to, name));
  // Nothing that starts from now on asks for what only an earlier build had.
  const former = readdirSync(to).filter((name) => !made.includes(name));
  for (const name of former) rmSync(join(to, name), { recursive: true });
}

mkdirSync(dirname(PROGRAM), { recursive: true });
const building = mkdtempSync(`${PROGRAM}.building-`);
try {
  for (const entries of PROGRAMS) await makeProgram(entries, building);
  // The compiler and the bundler do not keep the mode that a package's bin needs. Both are made executable, since npx
  // remembers for each checkout where its bin was when it was first asked for.
  for (const main of [join(building, 'main.js'), join(COMPILED, 'cli', 'main.js')]) chmodSync(main, 0o755);
  replaceFiles(building, PROGRAM);
} finally {
  rmSync(building, { recursive: true, force: true });
}
