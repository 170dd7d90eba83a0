/**
 * Part of the build: bundles the compiled modules and the packages they use into a few files in `dist/program/`, or in the
 * folder given as argument. Node takes about half a millisecond to find and link a module, and the service has over 700 of
 * them, including its packages'. A program that runs or is started meanwhile finds the files of the previous build, or the
 * new ones.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const COMPILED = join(import.meta.dirname, '..');
const PROGRAM = resolve(process.argv[2] ?? join(COMPILED, '..', 'program'));

/** Packages that are not bundled, because they look for binaries, workers or data beside their own files. */
const KEPT_APART = ['koffi', 'lmdb', '@node-rs/xxhash', 'piscina', 'us-atlas'];

/** Each thread's program is bundled separately: chunks shared with the main program would be many and small. */
const PROGRAMS: readonly Readonly<Record<string, string>>[] = [
  { main: 'cli/main.js' },
  { admin: 'admin/client.js' },
  { worker: 'pool/worker.js' },
  { 'check-thread': 'catalog/admin/check-thread.js' },
  { 'outlines-thread': 'load/outlines/outlines-thread.js' },
  { 'shapes-thread': 'load/outlines/shapes-thread.js' },
  { 'dispatcher-process': 'webhooks/delivery/dispatcher-process.js' },
];

/**
 * The admin client, which other programs use, does not bundle these packages either: `instanceof TRPCClientError` must hold
 * in those programs, and undici, which the main program contains already, is a megabyte.
 */
const KEPT_APART_OF_ADMIN = [...KEPT_APART, '@trpc/client', 'undici'];

/**
 * What Express loads for ways of reading bodies and queries, and of choosing content types, that this service leaves unused:
 * tables of East Asian characters and of 2,000 media types, and a parser of nested queries. Each is empty in the program.
 */
const UNUSED_OF_EXPRESS: ReadonlySet<string> = new Set(['body-parser', 'mime-db', 'qs']);

const withoutUnused: Plugin = {
  name: 'without-unused',
  resolveId: (id) => (UNUSED_OF_EXPRESS.has(id) ? id : undefined),
  load: (id) => (UNUSED_OF_EXPRESS.has(id) ? 'module.exports = {};' : undefined),
};

/**
 * What commands share is one file for all of a layer, rather than one for each set of commands, where none loads more by it
 * than some kilobytes: layers that import no package, and zod. A service has 67 files to find and link instead of 85.
 */
const SHARED = [
  { name: 'zod', test: /node_modules\/zod\// },
  { name: 'core', test: /dist\/src\/core\/(?!dictionary|parse-json|secret-key-text)/ },
  { name: 'platform', test: /dist\/src\/platform\// },
];

const isOneOf = (packages: readonly string[]) => (id: string) =>
  packages.some((name) => id === name || id.startsWith(`${name}/`));

async function makeProgram(entries: Readonly<Record<string, string>>, dir: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(COMPILED, file)])),
    platform: 'node',
    external: isOneOf('admin' in entries ? KEPT_APART_OF_ADMIN : KEPT_APART),
    plugins: [withoutUnused],
    // Bottleneck uses eval to hide its optional `require('redis')` from bundlers, on purpose.
    checks: { eval: false },
  });
  // All in one folder, since a module that starts a thread looks for the thread's file beside itself.
  await bundle.write({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: SHARED.map((group) => ({ ...group, minShareCount: 2 })) },
    // V8 keeps a file's text in each thread that runs it, at two bytes a character if one of them is not of Latin-1.
    // Together with the body parsers, comments and such characters cost each process 4.9 MiB.
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  });
  await bundle.close();
}

/**
 * Moves the new files into place, each by one rename: first the chunks, whose names contain a hash of their contents, then
 * the entry files, which refer to them.
 */
function replaceFiles(from: string, to: string): void {
  const entries = new Set(PROGRAMS.flatMap((program) => Object.keys(program)).map((name) => `${name}.js`));
  const made = readdirSync(from).sort((one, other) => Number(entries.has(one)) - Number(entries.has(other)));
  mkdirSync(to, { recursive: true });
  for (const name of made) renameSync(join(from, name), join(to, name));
  // Files that only the previous build had are not used by anything that starts from now on.
  const former = readdirSync(to).filter((name) => !made.includes(name));
  for (const name of former) rmSync(join(to, name), { recursive: true });
}

mkdirSync(dirname(PROGRAM), { recursive: true });
const building = mkdtempSync(`${PROGRAM}.building-`);
try {
  for (const entries of PROGRAMS) await makeProgram(entries, building);
  // Compiler and bundler do not set the mode that a package's bin needs. Both files are made executable, since npx remembers
  // where a checkout's bin was when npx first ran it.
  for (const main of [join(building, 'main.js'), join(COMPILED, 'cli', 'main.js')]) chmodSync(main, 0o755);
  replaceFiles(building, PROGRAM);
} finally {
  rmSync(building, { recursive: true, force: true });
}
