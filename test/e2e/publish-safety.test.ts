import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  GENERATIONS_DIR,
  generationPath,
  listGenerations,
  readCurrent,
} from '../../src/catalog/directory/generations.js';
import { findDamage } from '../../src/format/dataset.js';
import { type RunningCli, runCli, runCliHere, startCli } from '../support/cli.js';
import { writeTree } from '../support/official-files.js';
import { rounds, variants } from '../support/rounds.js';
import { smallInput } from '../support/small-input.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Rolls back and prunes; built by `npm test` before it runs. */
const GENERATIONS_PROGRAM = fileURLToPath(new URL('../../dist/test/support/generations-program.js', import.meta.url));

/** Once at each moment at least, some of them as soon as it comes, others some time after it. */
const ROUNDS = rounds(5, 100);

const generationNames = (output: string): string[] => {
  try {
    return readdirSync(join(output, GENERATIONS_DIR));
  } catch {
    return [];
  }
};

const unfinished = (output: string): string | undefined =>
  generationNames(output).find((name) => name.startsWith('.unfinished-'));

const writing = (output: string, file: string): boolean => {
  const name = unfinished(output);
  return name !== undefined && existsSync(join(output, GENERATIONS_DIR, name, file));
};

/**
 * Waits until something has come about, looking again after `turn`; false where the process ended. Looking as often as the
 * event loop turns finds the very moment, and takes a whole core from the process meanwhile.
 */
async function until(
  cli: RunningCli,
  hasCome: () => boolean,
  turn: () => Promise<unknown> = () => delay(5),
): Promise<boolean> {
  while (cli.process.exitCode === null && cli.process.signalCode === null) {
    if (hasCome()) return true;
    await turn();
  }
  return false;
}

/** Asserts that what CURRENT names is whole, and gives its name. */
function liveGeneration(output: string): string {
  const generation = readCurrent(output);
  if (generation === undefined) throw new Error('nothing is live');
  expect(findDamage(generationPath(output, generation))).toEqual([]);
  return generation;
}

describe('a compile that is killed', () => {
  /** What a compile does one after the other, as it shows from outside. */
  const moments = {
    'before it locks': () => true,
    'while it reads': (output: string) => unfinished(output) !== undefined,
    'while it writes the tracts': (output: string) => writing(output, 'tracts.tctx'),
    'while it writes the outlines': (output: string) => writing(output, 'outlines.tctx'),
    'while it publishes': (output: string, known: number) => listGenerations(output).length > known,
  };

  it('leaves a whole dataset live at any moment, and a leftover that the next run clears', async () => {
    const root = temporaryDirectory();
    const output = join(root, 'out');
    const compileArgs = (poor: number): string[] => {
      const input = writeTree(join(root, `in${poor}`), smallInput(poor));
      return ['compile', '--input', input, '--output', output];
    };
    expect((await runCliHere(...compileArgs(0))).code).toBe(0);
    let live = liveGeneration(output);
    let leftovers = 0;
    let kills = 0;
    // Turns of the event loop between the moment and the kill: another place within the moment each time.
    const [turns = []] = fc.sample(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: ROUNDS, maxLength: ROUNDS }),
      1,
    );
    for (const [round, extraTurns] of turns.entries()) {
      const entries = Object.values(moments);
      const hasCome = entries[round % entries.length] ?? (() => true);
      const known = listGenerations(output);
      const cli = startCli(compileArgs(round + 1));
      // Until it has begun, nothing but its start passes.
      const turn = () => (unfinished(output) === undefined ? delay(1) : nextTurn());
      const came = await until(cli, () => hasCome(output, known.length), turn);
      let left = round % 2 === 0 ? 0 : extraTurns;
      await until(cli, () => left-- <= 0, nextTurn);
      if (came && cli.process.kill('SIGKILL')) kills++;
      await cli.result;
      if (unfinished(output) !== undefined) leftovers++;
      const now = liveGeneration(output);
      // The one from before, or the one that was just being made where the kill came after its very last step.
      expect(now === live || !known.includes(now)).toBe(true);
      live = now;
    }
    console.log(
      `killed ${kills} of ${turns.length} compiles, ${leftovers} left something behind; turns ${turns.join(' ')}`,
    );
    // Some are faster than the kill.
    expect(kills).toBeGreaterThanOrEqual(Math.min(ROUNDS - 2, Math.floor(ROUNDS * 0.8)));
    expect(leftovers).toBeGreaterThan(0);
    expect((await runCliHere(...compileArgs(999))).code).toBe(0);
    expect(unfinished(output)).toBeUndefined();
    expect(liveGeneration(output)).not.toBe(live);
    expect(generationNames(output).sort()).toEqual(listGenerations(output));
  });
});

describe('a full disk', () => {
  // In the last of its files, in the first, and in one between.
  it.each(variants([600], [1, 64]))(
    'at %i KiB a file ends the compile with a word and leaves the live dataset alone',
    async (limitKib) => {
      const root = temporaryDirectory();
      const output = join(root, 'out');
      const args = (poor: number): string[] => [
        'compile',
        '--input',
        writeTree(join(root, `in${poor}`), smallInput(poor)),
        '--output',
        output,
      ];
      await runCliHere(...args(1));
      const live = liveGeneration(output);
      const { code, stderr } = await startCli(args(2), limitKib).result;
      expect(code).toBe(1);
      expect(stderr).toContain(`${output}: the file grew past the allowed size`);
      expect(stderr).toContain('Nothing was published.');
      expect(liveGeneration(output)).toBe(live);
      expect(generationNames(output)).toEqual([live]);
    },
  );
});

describe('two compiles into one directory', () => {
  it('at once: the second reports the conflict at once and exits with 1, the first is not disturbed', async () => {
    const root = temporaryDirectory();
    const output = join(root, 'out');
    const input = writeTree(join(root, 'in'), smallInput());
    // Opening a pipe to write the report waits for someone to read it: so long the first holds the lock.
    const report = join(root, 'report');
    execFileSync('mkfifo', [report]);
    const first = startCli(['compile', '--input', input, '--output', output, '--report', report]);
    expect(await until(first, () => writing(output, 'outlines.tctx'))).toBe(true);
    const second = await runCli('compile', '--input', input, '--output', output);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(
      `${output}: compile (pid ${first.process.pid}) is already compiling a dataset here; try again when it has finished`,
    );
    expect(unfinished(output)).toBeDefined();
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ tracts: 5 });
    expect((await first.result).code).toBe(0);
    expect(unfinished(output)).toBeUndefined();
    liveGeneration(output);
    expect(readFileSync(join(output, 'CURRENT'), 'utf8')).toMatch(/^[0-9a-f]{32}\n$/);
  });
});

test('rollback and prune work while a compile runs, and the compile publishes when it is done', async () => {
  const root = temporaryDirectory();
  const output = join(root, 'out');
  const compileArgs = (poor: number): string[] => {
    const input = writeTree(join(root, `in${poor}`), smallInput(poor));
    return ['compile', '--input', input, '--output', output];
  };
  const published = [];
  for (const poor of [0, 1]) {
    expect((await runCliHere(...compileArgs(poor))).code).toBe(0);
    published.push(liveGeneration(output));
  }
  const report = join(root, 'report');
  execFileSync('mkfifo', [report]);
  const compiling = startCli([...compileArgs(2), '--report', report]);
  expect(await until(compiling, () => writing(output, 'outlines.tctx'))).toBe(true);
  expect(execFileSync(process.execPath, [GENERATIONS_PROGRAM, output], { encoding: 'utf8' })).toMatch(/done\n$/);
  expect([liveGeneration(output), listGenerations(output)]).toEqual([published[0], [published[0]]]);
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ tracts: 5 });
  expect((await compiling.result).code).toBe(0);
  expect(published).not.toContain(liveGeneration(output));
  expect(listGenerations(output)).toHaveLength(2);
});
