import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { generationPath } from '../../src/catalog/directory/generations.js';
import * as backup from '../../src/cli/commands/backup.js';
import * as compile from '../../src/cli/commands/compile.js';
import * as datasets from '../../src/cli/commands/datasets.js';
import * as demo from '../../src/cli/commands/demo.js';
import * as fetchSources from '../../src/cli/commands/fetch.js';
import * as inspect from '../../src/cli/commands/inspect.js';
import * as keys from '../../src/cli/commands/keys.js';
import * as restore from '../../src/cli/commands/restore.js';
import * as serve from '../../src/cli/commands/serve.js';
import * as start from '../../src/cli/commands/start.js';
import * as system from '../../src/cli/commands/system.js';
import * as update from '../../src/cli/commands/update.js';
import * as webhooks from '../../src/cli/commands/webhooks.js';
import { messageOf } from '../../src/core/message-of.js';
import { packageFile } from '../../src/platform/package-root.js';
import { openState } from '../../src/state/open-state.js';
import { runCli, runCliHere, runCliWithoutReader } from '../support/cli.js';
import { startFakeServer } from '../support/fake-server.js';
import { freePort } from '../support/free-port.js';
import { variants } from '../support/rounds.js';
import { runHere } from '../support/run-here.js';
import { runProgram } from '../support/run-program.js';
import { runToEnd } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));

describe('tract-context', () => {
  it.each(['--version', '-V', 'version'])('%s prints the package’s version', async (word) => {
    expect(await runCli(word)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists every command and --version in its help, and `help <command>` shows the help of the command', async () => {
    const { code, stdout } = await runCli('--help');
    expect(code).toBe(0);
    for (const word of ['fetch', 'serve', 'backup', '--version']) expect(stdout).toContain(word);
    expect(await runCli('help', 'fetch')).toEqual(await runCliHere('fetch', '--help'));
    expect(await runCli('help', 'keys', 'issue')).toEqual(await runCliHere('keys', 'issue', '--help'));
  });
});

test('commands run by the tests ignore the settings of the developer’s environment', async () => {
  vi.stubEnv('DATASETS_DIR', '/of/the/developer');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const args = ['serve', '--print-config'];
  const { code, stdout } = await runCli(...args);
  expect(code).toBe(0);
  expect(stdout).not.toContain('/of/the/developer');
  expect((await runCliWithoutReader('stderr', ...args)).printed).toBe(stdout);
});

test.each([
  ['webhooks list', 'WAITING UPDATES counts dataset changes'],
  ['keys usage', '(refused) counts requests that were refused before routing'],
  ['update', '--states and --territories also decide what is loaded.'],
])('%s explains in its help what its options or columns do not say', async (line, note) => {
  expect((await runCliHere(...line.split(' '), '--help')).stdout).toContain(note);
});

/** Wrong arguments, and how the line begins that says what is wrong. */
const WRONG: readonly (readonly [line: string, message: string])[] = [
  [
    'fetch --output x --sources nope',
    '--sources: nope is not a source that can be fetched; choose from gazetteer, tiger, ',
  ],
  ['fetch --output x --sources acs --year 2001', '--year: acs: there is no vintage up to 2001'],
  ['fetch --output x --states zz', '--states: ZZ is not a state'],
  ['fetch --output x --output y', '--output is given twice'],
  ['fetch --output --dry-run', '--output needs a value; if --dry-run is the value'],
  ['update --no-fetch --sources nope', '--sources: nope is not a source'],
  ['update --max-loss x', '--max-loss: x is not a percentage'],
  ['compile --input a --output b --states zz', '--states: ZZ is not a state'],
  ['demo --output x --seed x', '--seed: x is not a number'],
  ['demo --output x --seed', '--seed needs a value'],
  ['inspect ', 'exactly one datasets directory is required'],
  ['inspect nowhere --geoid 1', '--geoid: 1 is not a GEOID'],
  ['inspect nowhere --json=1', '--json takes no value'],
  ['backup --bogus', 'unknown option --bogus'],
  ['restore --input=', '--input needs a value'],
  ['serve --port 99999', 'PORT (--port) is "99999"; accepted: '],
  ['serve --port 1 --port 2', 'PORT (--port) is given twice'],
  ['serve --port 18002 --admin-port 18002', 'PORT (--port) and ADMIN_PORT (--admin-port) are both 18002; choose '],
  ['start --bogus', 'unknown flag --bogus; accepted: '],
  ['keys get x', 'x is not a key id'],
  ['keys list --json --json', '--json is given twice'],
  ['keys list --admin-url=', '--admin-url needs a value'],
  ['keys list --state-dir=', '--state-dir needs a value'],
  ['keys list --status x', '--status: x is not a status; choose from active, disabled, expired, revoked'],
  ['datasets verify x', 'x is not a generation'],
  [`datasets verify ${'ab'.repeat(16)} x`, 'only one generation is allowed'],
  ['keys rotate 0123456789abcdef --overlap 0s', 'The current text of key 0123456789abcdef and all older ones '],
  ['keys rotate 0123456789abcdef --overlap 0', 'The current text of key 0123456789abcdef and all older ones '],
  ['webhooks replay 1 --dead-letter=', '--dead-letter: an empty value is not an id'],
  ['datasets verify ', 'an empty value is not a generation'],
  ['keys get ', 'an empty value is not a key id'],
  ['keys isue', 'unknown action isue'],
  ['keys get', 'a key id is required'],
  ['keys revoke 0123456789abcdef', 'Key 0123456789abcdef will be revoked permanently. Pass --yes'],
  ['keys issue', '--name is required'],
  ['keys issue --name ', '--name: must not be empty'],
  ['keys issue --name x --scopes write', '--scopes: write is not a scope'],
  ['keys issue --name=', '--name: must not be empty'],
  [`keys issue --name x --owner ${'o'.repeat(201)}`, '--owner: must have at most 200 characters'],
  ['keys issue --name x --expires soon', '--expires: soon is not valid; use a duration'],
  ['keys issue --name x --expires=', '--expires: an empty value is not valid; use a duration'],
  ['keys issue --name x --scopes read,', '--scopes: an empty value is not a scope; choose from read, webhooks'],
  [
    'keys issue --name x --rate-limit 1000001',
    '--rate-limit: 1000001 is neither a whole number from 0 to 1000000 nor default',
  ],
  ['keys issue --name x --rate-limit 1e3', '--rate-limit: 1e3 is neither a whole number from 0 to 1000000 nor default'],
  ['keys list --status=', '--status: an empty value is not a status'],
  ['keys rotate 0123456789abcdef --overlap=', '--overlap: an empty value is not a duration'],
  [
    'keys update 0123456789abcdef',
    'nothing to change: give one or more of --name, --owner, --scopes, --expires, --rate-limit, --disable, --enable',
  ],
  ['keys update 0123456789abcdef --scopes write', '--scopes: write is not a scope'],
  ['keys update 0123456789abcdef --enable --disable', 'give either --disable or --enable, not both'],
  ['keys rotate 0123456789abcdef --overlap 91d', '--overlap: 91d is too long; the maximum is 90d'],
  ['keys usage 0123456789abcdef --days 93', '--days: 93 is not a whole number from 1 to 92'],
  ['webhooks attempts abc', 'abc is not an id'],
  ['webhooks delete 1', 'Subscription 1 will be deleted, with its undelivered events and dead letters. Pass --yes'],
  ['webhooks list --owner x', '--owner: x is not a key id'],
  ['system audit --limit 0', '--limit: 0 is not a whole number'],
  ['system audit --limit 1001', '--limit: 1001 is not a whole number from 1 to 1000'],
  ['system audit --before x', '--before: x is not a whole number'],
  // Nor is anything asked that would have to be answered first.
  ['keys revoke x', 'x is not a key id'],
  ['keys rotate x --overlap 0s', 'x is not a key id'],
  ['keys revoke 0123456789abcdef --admin-url nope', 'ADMIN_URL'],
  ['datasets prune --keep x', '--keep: x is not a whole number'],
  ['system nope', 'unknown action nope'],
];

const COMMANDS = {
  backup,
  compile,
  datasets,
  demo,
  fetch: fetchSources,
  inspect,
  keys,
  restore,
  serve,
  start,
  system,
  update,
  webhooks,
};
const isCommand = (word: string): word is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, word);

describe('wrong arguments exit with 2 and one line that says what is wrong', () => {
  /** None of them gets as far as waiting for a service, which is not there and has left no token. */
  const nowhere = async () => ({
    STATE_DIR: join(temporaryDirectory(), 'none'),
    ADMIN_PORT: String(await freePort()),
  });

  // To start a process for each line would take longer than all else here.
  it.each(WRONG)('%s', async (line, message) => {
    const [name = '', ...args] = line.split(' ');
    if (!isCommand(name)) throw new Error(`${name} is no command`);
    const printed = [vi.spyOn(console, 'log'), vi.spyOn(process.stdout, 'write')];
    const settings = await nowhere();
    const ofTheDeveloper = process.env;
    onTestFinished(() => {
      process.env = ofTheDeveloper;
      for (const spy of printed) spy.mockRestore();
    });
    process.env = settings;
    const refused = await COMMANDS[name].run(args).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'CliError', exitCode: 2 });
    expect(messageOf(refused).split('\n')[0]).toSatisfy((told: string) => told.startsWith(message));
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  const commandOf = ([line]: (typeof WRONG)[number]) => line.split(' ')[0];
  const firsts = WRONG.filter((one, at) => WRONG.findIndex((other) => commandOf(other) === commandOf(one)) === at);
  // One that serves, one that does its work itself, and one that asks a service to.
  const kinds = ['serve', 'fetch', 'keys'];
  const isOfKind = (one: (typeof WRONG)[number]): boolean => kinds.includes(commandOf(one) ?? '');
  it.each(
    variants(
      firsts.filter(isOfKind),
      firsts.filter((one) => !isOfKind(one)),
    ),
  )('as a process: %s', async (line, message) => {
    const words = line.split(' ');
    const { code, stdout, stderr } = await runToEnd(words, await nowhere());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toContain(`tract-context ${words[0]}: ${message}`);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

test.each([
  ['1', 'datasets.zip'],
  ['2', 'datasets.zip/inside'],
])('datasets that are a file end the start, and are named: %s process(es), %s', async (processes, name) => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'datasets.zip'), '');
  const path = join(directory, name);
  const args = ['serve', '--datasets-dir', path, '--port', '0', '--processes', processes];
  const { code, stdout } = await runToEnd(args, { STATE_DIR: temporaryDirectory() });
  const reason = `DATASETS_DIR (--datasets-dir) is "${path}", which is not a directory`;
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ level: 'error', msg: 'the service cannot start', reason });
});

test.each(['1', '2'])(
  'a start as a worker of no node:cluster ends, and says why: %s process(es)',
  async (processes) => {
    const args = ['serve', '--datasets-dir', temporaryDirectory(), '--port', '0', '--processes', processes];
    const { code, stdout } = await runToEnd(args, { STATE_DIR: temporaryDirectory(), NODE_UNIQUE_ID: '1' });
    expect(code).toBe(1);
    const reason = expect.stringContaining('NODE_UNIQUE_ID is set');
    expect(JSON.parse(stdout)).toMatchObject({ level: 'error', msg: 'the service cannot start', reason });
  },
);

describe('a wrong setting in the environment is reported by the commands that use it, under the names that they accept', () => {
  test.each<readonly [string, Record<string, string>, string]>([
    ['keys list', { ADMIN_TOKEN: 'short' }, 'ADMIN_TOKEN is invalid; accepted: '],
    [
      'keys list',
      { ADMIN_HOST: '10.1.2.3' },
      'ADMIN_HOST is "10.1.2.3", another machine, and TLS is off: set ADMIN_TLS_CERT, ',
    ],
    ['keys list', { ADMIN_URL: 'nope' }, 'ADMIN_URL (--admin-url) is "nope"; accepted: '],
    ['update --no-fetch', { ADMIN_PORT: 'x' }, 'ADMIN_PORT is "x"; accepted: '],
    ['fetch --output x --dry-run', { CENSUS_API_KEY: '?' }, 'CENSUS_API_KEY is invalid; accepted: '],
  ])('%s with %j', async (line, env, message) => {
    const { code, stderr } = await runHere(line.split(' '), env);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('and by no other command', async () => {
    const stateDir = join(temporaryDirectory(), 'none');
    const env = { PORT: 'abc', ADMIN_TLS_CERT: 'c.pem', API_KEYS: 'é', NARRATIVE_PROVIDER: 'openai' };
    const backup = await runHere(['backup', '--output', 'x', '--state-dir', stateDir], { ...env, ADMIN_PORT: 'x' });
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining('no state found here') });
    const url = `https://127.0.0.1:${await freePort()}`;
    const keys = await runHere(['keys', 'list'], { ...env, ADMIN_URL: url, ADMIN_TOKEN: 'a-token-for-tests' });
    expect(keys).toMatchObject({ code: 1, stderr: expect.stringContaining(`cannot be reached at ${url}`) });
  });
});

const INTERRUPTED = 'Interrupted. The service may carry out the command anyway; check before you repeat it.\n';

test.each([
  ['says that the service may carry it out anyway', 'datasets prune --yes', INTERRUPTED],
  ['says nothing if it asked for no change', 'datasets verify', ''],
])('an interrupted command %s, and ends by the signal', async (_, line, message) => {
  // Either command probes the service before it asks it for what may take long.
  const service = await startFakeServer((response, { path }) => {
    if (path === '/system.config') response.end();
  });
  const command = runProgram(line.split(' '), { ADMIN_URL: service.url, ADMIN_TOKEN: 'a-token-for-tests' });
  const ended = once(command, 'exit');
  const said = text(command.stderr);
  await service.received(2);
  command.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
  expect(await said).toBe(message);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'the command by which what root restored is given away names that directory alone, whatever is in its name',
  async () => {
    const root = temporaryDirectory();
    const stateDir = join(root, 'state');
    await (await openState(stateDir)).close();
    const file = join(root, 'backup');
    expect(await runCliHere('backup', '--output', file, '--state-dir', stateDir)).toMatchObject({ code: 0 });
    const { stdout } = await runCliHere('restore', '--input', file, '--state-dir', join(root, "root's own"));
    const [, command = ''] = /(chown .*)/.exec(stdout) ?? [];
    const words = execFileSync('/bin/sh', ['-c', command.replace('chown -R <user>:', "printf '%s\\n'")]);
    expect(words.toString()).toBe(`${join(root, "root's own")}\n`);
  },
);

it.each(['', 'notes.txt'])('refuses to back up what holds no state, and leaves nothing in it: %s', async (name) => {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'notes.txt'), 'mine');
  const stateDir = join(root, name);
  const { code, stderr } = await runCliHere('backup', '--output', join(root, 'backup'), '--state-dir', stateDir);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${stateDir}: no state found here; set --state-dir`)]);
  expect(readdirSync(root)).toEqual(['notes.txt']);
});

it('does not say that there is no state where the system does not let it look', async () => {
  const root = temporaryDirectory();
  // Also for root, who may read everything: a link that leads to itself.
  const stateDir = join(root, 'state');
  symlinkSync(stateDir, stateDir);
  const { code, stderr } = await runCliHere('backup', '--output', join(root, 'backup'), '--state-dir', stateDir);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`state directory ${stateDir}: `)]);
  expect(stderr).toContain('ELOOP');
});

it('leaves no backup where the key of subscribers’ secrets must not be used', async () => {
  const root = temporaryDirectory();
  const stateDir = join(root, 'state');
  await (await openState(stateDir)).close();
  writeFileSync(join(stateDir, 'webhook-secret.key'), 'ab'.repeat(32));
  chmodSync(join(stateDir, 'webhook-secret.key'), 0o644);
  const { code, stdout, stderr } = await runCliHere(
    'backup',
    '--output',
    join(root, 'backup'),
    '--state-dir',
    stateDir,
  );
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('set its mode to 0600')]);
  expect(readdirSync(root)).toEqual(['state']);
});

it('does not call damaged what it cannot open', async () => {
  const datasets = temporaryDirectory();
  const generation = publishTinyDataset(datasets);
  const file = join(generationPath(datasets, generation), 'tracts.tctx');
  rmSync(file);
  mkdirSync(file);
  const { code, stderr } = await runCliHere('inspect', datasets);
  expect([code, stderr]).toEqual([1, `tract-context inspect: cannot be read: ${file}: it is not a file\n`]);
});

it('reports before any work that the report file cannot be written', async () => {
  const report = join(temporaryDirectory(), 'none', 'report.json');
  const { code, stderr } = await runCliHere('update', '--no-fetch', '--input', 'nowhere', '--report', report);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`--report: ${report} cannot be written`)]);
});

test.each(['compile --input a --output b', 'update --no-fetch', 'update --no-fetch --sources nope'])(
  'a former report stays where the command line is wrong: %s',
  async (line) => {
    const report = join(temporaryDirectory(), 'report.json');
    writeFileSync(report, 'of a former run');
    expect((await runCliHere(...line.split(' '), '--report', report, '--states', 'zz')).code).toBe(2);
    expect(readFileSync(report, 'utf8')).toBe('of a former run');
  },
);

describe('a CURRENT that cannot be read', () => {
  it('stops publishing commands before any work, and stops start', async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'datasets', 'demo', 'CURRENT'), { recursive: true });
    const output = join(root, 'datasets', 'demo');
    const made = await runCliHere('demo', '--output', output, '--states', 'DE');
    const line = `${output}: CURRENT cannot be read: it is a directory\nNothing was published.\n`;
    expect(made).toEqual({ code: 1, stdout: '', stderr: `tract-context demo: ${line}` });
    expect(existsSync(join(output, 'generations'))).toBe(false);

    const child = runProgram(['start', '--port', '0'], {}, root);
    const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    expect([code, stderr]).toEqual([
      1,
      'tract-context start: datasets/demo: CURRENT cannot be read: it is a directory\n',
    ]);
  });
});
