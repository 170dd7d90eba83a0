import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generationPath, listGenerations, readCurrent } from '../../src/catalog/directory/generations.js';
import { findDamage } from '../../src/format/dataset.js';
import { variants } from '../support/rounds.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** Built by `npm test` before it runs. */
const PROGRAM = fileURLToPath(new URL('../../dist/test/support/generations-program.js', import.meta.url));
const GENERATIONS = 5;

/** Runs the program until it is killed, a number of turns of the event loop after it named a step. Gives the steps named. */
async function runAndKill(datasetsDir: string, step: string, turns: number): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, datasetsDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const named: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    named.push(line);
    if (line !== step) continue;
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    child.kill('SIGKILL');
  }
  await closed;
  return named;
}

test('after a rollback or prune is killed at any moment, the directory has a complete published generation and stays usable', async () => {
  const template = temporaryDirectory();
  const names = Array.from({ length: GENERATIONS }, (_, more) => publishTinyDataset(template, more));
  const kills = ['rollback', 'prune'].flatMap((step) => variants([0, 200], [20]).map((turns) => ({ step, turns })));
  for (const { step, turns } of kills) {
    const datasetsDir = temporaryDirectory();
    cpSync(template, datasetsDir, { recursive: true });
    expect(await runAndKill(datasetsDir, step, turns)).toContain(step);

    expect([names.at(-1), names.at(-2)]).toContain(readCurrent(datasetsDir));
    expect(listGenerations(datasetsDir)).toContain(readCurrent(datasetsDir));
    for (const generation of listGenerations(datasetsDir)) {
      expect(findDamage(generationPath(datasetsDir, generation))).toEqual([]);
    }
    const next = publishTinyDataset(datasetsDir, GENERATIONS);
    expect(readCurrent(datasetsDir)).toBe(next);
    expect(readdirSync(join(datasetsDir, 'generations')).toSorted()).toEqual(listGenerations(datasetsDir).toSorted());
  }
});
