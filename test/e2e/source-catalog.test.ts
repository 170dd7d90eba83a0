import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTree } from '../support/official-files.js';
import { smallInput } from '../support/small-input.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const PACKAGE = join(import.meta.dirname, '..', '..');

/** A copy of the built package with another text in its `datasets/sources.json`; gives the path of the program. */
function packageWithCatalog(edit: (text: string) => string): string {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'dist'));
  for (const path of ['package.json', 'datasets', 'dist/program']) {
    cpSync(join(PACKAGE, path), join(root, path), {
      recursive: true,
      filter: (file) => !file.startsWith(join(PACKAGE, 'datasets', 'raw')),
    });
  }
  symlinkSync(join(PACKAGE, 'node_modules'), join(root, 'node_modules'));
  const catalog = join(root, 'datasets', 'sources.json');
  writeFileSync(catalog, edit(readFileSync(catalog, 'utf8')));
  return join(root, 'dist', 'program', 'main.js');
}

const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe('a mistake in datasets/sources.json', () => {
  it.each<[string, (text: string) => string, RegExp, number]>([
    [
      'a value that cannot be',
      (text) => text.replace(/"maxRejectShare": [\d.]+/, '"maxRejectShare": 2'),
      /sources\.json: .*\n.*→ at gazetteer\.maxRejectShare\n/,
      3,
    ],
    ['a comma that is missing', (text) => text.replace(',\n', '\n'), /sources\.json is not JSON: .*\n/, 1],
  ])('is explained by every command before any work: %s', (_, edit, what, commands) => {
    const program = packageWithCatalog(edit);
    const root = temporaryDirectory();
    const input = writeTree(join(root, 'in'), smallInput());
    const output = join(root, 'datasets');
    const lines = [
      ['fetch', '--dry-run', '--output', input],
      ['update', '--no-fetch', '--no-reload', '--input', input, '--output', output],
      ['compile', '--input', input, '--output', output],
    ] as const;
    for (const [command, ...args] of lines.slice(0, commands)) {
      const { status, stderr } = run(program, command, ...args);
      expect([command, status, stderr]).toEqual([command, 1, expect.stringMatching(what)]);
      expect(stderr.startsWith(`tract-context ${command}: `)).toBe(true);
      expect(stderr).not.toMatch(/\n\s+at .*\.js/);
    }
  });
});
