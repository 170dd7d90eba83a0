import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const MAKE_PROGRAM = fileURLToPath(new URL('../../dist/src/build/make-program.js', import.meta.url));

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const FORMER = 'of the build before';

test('a build removes no file while it runs, and leaves none of an earlier build', async () => {
  const root = temporaryDirectory();
  const program = join(root, 'program');
  const main = join(program, 'main.js');
  mkdirSync(program);
  for (const name of ['main.js', 'former-12345678.js']) writeFileSync(join(program, name), FORMER);
  const build = spawn(process.execPath, [MAKE_PROGRAM, program], { stdio: 'ignore' });
  const exited = once(build, 'exit');
  const seen = new Set<string>();
  while (build.exitCode === null) {
    const chunkIsThere = existsSync(join(program, 'former-12345678.js'));
    const isFormer = existsSync(main) && readFileSync(main, 'utf8') === FORMER;
    seen.add(isFormer ? `the former, its chunk ${chunkIsThere}` : `another, there: ${existsSync(main)}`);
    await delay(1);
  }
  expect(await exited).toEqual([0, null]);
  expect(seen).toContain('the former, its chunk true');
  expect(seen).not.toContain('the former, its chunk false');
  expect(seen).not.toContain('another, there: false');
  expect(readdirSync(program)).toContain('dispatcher-process.js');
  expect(readdirSync(program)).not.toContain('former-12345678.js');
  expect(statSync(main).mode & 0o111).toBe(0o111);
  expect(readdirSync(root)).toEqual(['program']);
});

test('the program takes one byte a character, and holds nothing of Express that it leaves unused', () => {
  const program = join(ROOT, 'dist/program');
  const texts = readdirSync(program).map((name) => readFileSync(join(program, name), 'utf8'));
  const beyondLatin1 = texts.flatMap((program) => program.match(/.{0,40}[^\0-\xff].{0,40}/g) ?? []);
  expect(beyondLatin1).toEqual([]);
  // Of body parsers, a table of media types, and a parser of nested queries.
  for (const sign of ['iconv', 'vnd.ms-excel', 'object-inspect']) {
    expect(texts.filter((program) => program.includes(sign))).toEqual([]);
  }
});

test('main.js stands for the files of the main program: it names each with a hash, itself or through those that it names', () => {
  const directory = join(ROOT, 'dist/program');
  const named = new Set(['main.js']);
  // A set's iteration takes in what is added meanwhile.
  for (const name of named) {
    const text = readFileSync(join(directory, name), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import |import\()"\.\/([^"]+)"/g)) named.add(path);
  }
  const hashed = [...named].filter((name) => name !== 'main.js');
  expect(hashed.length).toBeGreaterThan(50);
  // What several commands use of a layer is in one file.
  expect(hashed.filter((name) => /^(?:core|platform|zod)-/.test(name))).toHaveLength(3);
  expect(hashed.filter((name) => !/-[\w-]{8}\.js$/.test(name))).toEqual([]);
  const others = readdirSync(directory).filter((name) => !named.has(name));
  // The admin client, which is for other programs, and programs of threads and processes, of which one answers requests.
  const apart = /^(?:admin|worker|check-thread|outlines-thread|shapes-thread|dispatcher-process)\.js$/;
  expect(others.filter((name) => !apart.test(name))).toEqual([]);
});

/** Another program, as it uses the package. */
const CLIENT = `
  import { createServer } from 'node:http';
  import { once } from 'node:events';
  import { TRPCClientError } from '@trpc/client';
  import * as admin from 'tract-context/admin';

  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = 'http://127.0.0.1:' + silent.address().port;
  const deadlines = { ordinaryMs: 50, receiverMs: 50, wholeDatasetMs: 50 };
  const error = await admin.createAdminClient({ url, token: 'a-token', deadlines }).keys.list.query({}).catch((thrown) => thrown);
  const [own, sameAsOwn] = [error instanceof TRPCClientError, admin.TRPCClientError === TRPCClientError];
  console.log(JSON.stringify({ own, sameAsOwn, unanswered: error.cause instanceof admin.NoAnswerError }));
  process.exit();
`;

test('the admin client throws the error classes that its users import', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', CLIENT], { cwd: ROOT, stdio: 'pipe' });
  const printed = await text(child.stdout);
  expect(JSON.parse(printed)).toEqual({ own: true, sameAsOwn: true, unanswered: true });
});
