import { describe, expect, test, vi } from 'vitest';
import { type Accepted, parseOptions } from '../../../src/cli/options.js';

const OPTIONS = {
  input: { type: 'string', multiple: true },
  output: { type: 'string' },
  force: { type: 'boolean' },
} as const;

const parse = (args: string[], accepted?: Accepted) => parseOptions(args, OPTIONS, 'Usage: x', accepted);

test('options come in any order, several times where that is meant, and with values that look like options', () => {
  const parsed = parse(['--force', '--input', 'a', '--output=-b', '--input=c']);
  expect(parsed?.values).toEqual({ force: true, input: ['a', 'c'], output: '-b' });
  expect(parse(['a', '--', '--b'], { positionals: true })?.positionals).toEqual(['a', '--b']);
  expect(parse(['--output', '-', '--input='], { emptyTexts: ['input'] })?.values).toEqual({ output: '-', input: [''] });
});

test('who asks for the usage is shown it, whatever else is given', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  for (const args of [['-h'], ['--force', '--help']]) expect(parse(args)).toBeUndefined();
  expect(log.mock.calls).toEqual([['Usage: x'], ['Usage: x']]);
  log.mockRestore();
});

describe('what was typed wrong is one line, above the usage, and exit code 2', () => {
  test.each([
    [['--otput', 'x'], 'unknown option --otput'],
    [['-o', 'x'], 'unknown option -o'],
    [['--constructor'], 'unknown option --constructor'],
    [['--no-force'], 'unknown option --no-force'],
    [['--output'], '--output needs a value'],
    [['--output='], '--output needs a value'],
    [['--output', ''], '--output needs a value'],
    [['--output', '--force'], '--output needs a value; if --force is the value, write --output=--force'],
    [['--output', '-1'], '--output needs a value; if -1 is the value, write --output=-1'],
    [['--force=yes'], '--force takes no value'],
    [['--output', 'a', '--output', 'b'], '--output is given twice'],
    [['--force', '--force'], '--force is given twice'],
    [['a'], 'unexpected argument a'],
    [[''], "unexpected argument ''"],
    [['--\u001b[2Jx\n'], 'unknown option --\\u{1b}[2Jx\\u{a}'],
  ])('%j', (args, line) => {
    expect(() => parse(args)).toThrow(expect.objectContaining({ exitCode: 2, message: `${line}\n\nUsage: x` }));
  });
});
