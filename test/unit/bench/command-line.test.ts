import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../../bench/command-line.js';
import { SUITES } from '../../../bench/suites.js';
import { CliError } from '../../../src/cli/cli-error.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

function refusal(...args: string[]): { exitCode: number; line: string } {
  try {
    readCommand(args);
  } catch (error) {
    if (error instanceof CliError) return { exitCode: error.exitCode, line: error.message.split('\n')[0] ?? '' };
    throw error;
  }
  throw new Error(`${args.join(' ')} was accepted`);
}

describe('the command line of the bench', () => {
  it('asks for all suites, or for each named one once', () => {
    expect(readCommand([])?.suites).toEqual(Object.keys(SUITES));
    expect(readCommand(['http', 'micro', 'http'])?.suites).toEqual(['http', 'micro']);
    expect(readCommand(['--url', 'http://127.0.0.1:1', '--key', 'k'])).toMatchObject({
      suites: ['http'],
      settings: { running: { url: 'http://127.0.0.1:1', key: 'k' } },
    });
    expect(readCommand(['--help'])).toBeUndefined();
  });

  it.each([
    [['htp'], 'unknown suite htp'],
    [['http', '--output', 'x'], 'unknown option --output'],
    [['--seconds', '0'], '--seconds is "0"; accepted: a number above 0'],
    [['--rows', '1000,many'], '--rows is "many"; accepted: a number above 0'],
    [['--providers', '9999'], '--providers is "9999"; accepted: a number from 10000 on'],
    [['--json'], '--json needs a value'],
    [['--json', 'report', '--html', './report'], '--json, --markdown and --html need a file each'],
    ...['nowhere', 'https://127.0.0.1:1', 'localhost:8000'].map((url): [string[], string] => [
      ['--url', url],
      `--url is "${url}"; accepted: a URL such as http://127.0.0.1:8000, behind any proxy that speaks HTTPS`,
    ]),
    [['--key', 'k'], '--key is the key for a running service: give its --url'],
    [
      ['reload', 'http', '--url', 'http://127.0.0.1:1'],
      'reload cannot measure a running service (--url): only http can',
    ],
  ])('%j is wrong usage', (args, line) => {
    expect(refusal(...args)).toEqual({ exitCode: 2, line });
  });

  it('reports a file that could not be written before anything runs', () => {
    const directory = temporaryDirectory();
    const missing = join(directory, 'missing', 'report.json');
    expect(refusal('--json', missing)).toMatchObject({
      exitCode: 1,
      line: expect.stringContaining(`${missing} cannot be written: a directory of the path does not exist`),
    });
    expect(refusal('--html', directory).line).toBe(`${directory} cannot be written: it is a directory`);
    expect(readCommand(['--json', join(directory, 'new.json')])?.outputs.json).toBe(join(directory, 'new.json'));
  });

  it('reports a file to compare with that is missing or no report', () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'earlier.json');
    expect(refusal('--compare', file)).toMatchObject({ exitCode: 1, line: expect.stringContaining('ENOENT') });
    for (const text of ['no JSON', '{}', '[]']) {
      writeFileSync(file, text);
      expect(refusal('--compare', file).line).toBe(
        `--compare ${file} cannot be used: it is no report that --json wrote`,
      );
    }
    mkdirSync(join(directory, 'd'));
    expect(refusal('--compare', join(directory, 'd')).line).toContain('EISDIR');
  });
});
