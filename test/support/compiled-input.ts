import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type CliResult, runCliHere } from './cli.js';
import { writeTree } from './official-files.js';
import { smallInput } from './small-input.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The small input, and a dataset that was compiled from it. */
export interface CompiledInput {
  readonly input: string;
  /** A datasets directory of the test's own, in which the dataset is published. */
  readonly output: string;
  /** How the compile ended, and what it said. */
  readonly result: CliResult;
}

/** Compiles the small input once for the tests of a file; gives what makes each of them a datasets directory of its own. */
export function compileOnce(): () => CompiledInput {
  let root = '';
  let result: CliResult | undefined;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'compiled-'));
    const input = writeTree(join(root, 'in'), smallInput());
    result = await runCliHere('compile', '--input', input, '--output', join(root, 'datasets'));
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return () => {
    if (result?.code !== 0) throw new Error(`the small input could not be compiled: ${result?.stderr}`);
    const output = join(temporaryDirectory(), 'datasets');
    cpSync(join(root, 'datasets'), output, { recursive: true });
    return { input: join(root, 'in'), output, result };
  };
}
