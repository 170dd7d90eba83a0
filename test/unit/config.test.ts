import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { configEntries, describeConfig, describeSettings, loadConfig, plaintextSettings } from '../../src/config.js';
import { hostOf } from '../../src/core/web-url.js';
import { findUrlProblem } from '../../src/outbound/outbound-policy.js';
import { SETTINGS } from '../../src/settings/settings.js';

const load = (argv: string[], env: Record<string, string> = {}) => loadConfig({ argv, env }).config;

test('without flags and variables every setting has its default', () => {
  expect(load([])).toMatchObject({
    host: '127.0.0.1',
    port: 8000,
    datasetsDir: 'datasets/compiled',
    apiKeys: [],
    logLevel: 'info',
  });
});

test('a flag wins over the variable, the variable over a command’s default, that over the table’s', () => {
  const defaults = { port: '1', host: 'a', logLevel: 'warn' };
  const env = { PORT: '2', HOST: 'b' };
  expect(loadConfig({ argv: ['--port', '3'], env, defaults }).config).toMatchObject({
    port: 3,
    host: 'b',
    logLevel: 'warn',
  });
});

test('an empty variable counts as unset', () => {
  expect(load([], { PORT: '', API_KEYS: '' })).toMatchObject({ port: 8000, apiKeys: [] });
});

test('as many threads as cores serve, whatever the number of processes, and each process has a worker', () => {
  const cores = availableParallelism();
  expect(load([])).toMatchObject({ processes: 1, workerThreads: Math.max(1, cores - 1) });
  expect(load(['--processes', 'auto'])).toMatchObject({ processes: Math.min(64, cores), workerThreads: 1 });
  expect(load(['--processes', '2']).workerThreads).toBe(Math.max(1, Math.floor(cores / 2) - 1));
  expect(load(['--processes', '2', '--worker-threads', '3']).workerThreads).toBe(3);
});

test('the help warns of giving a secret as a flag, which other users can read', () => {
  const [before = '', ...secrets] = describeSettings().split('every user of this machine can read the flag');
  expect(secrets).toHaveLength(Object.values(SETTINGS).filter((setting) => 'secret' in setting).length);
  expect(before).toMatch(/--webhook-secret-key .*\n.*\n.*\n.*$/);
});

test.each([
  [{ GEOCODER: 'embedded,census', CENSUS_URL: 'http://geocoder.example/api' }, ['CENSUS_URL']],
  [{ GEOCODER: 'nominatim', NOMINATIM_URL: 'http://10.0.0.5:8080' }, ['NOMINATIM_URL']],
  [{ GEOCODER: 'nominatim', NOMINATIM_URL: 'http://[fd00::5]' }, ['NOMINATIM_URL']],
  [{ GEOCODER: 'nominatim', NOMINATIM_URL: 'http://[::1]:8080' }, []],
  [{ GEOCODER: 'census', CENSUS_URL: 'http://127.0.0.1:8080' }, []],
  [{ GEOCODER: 'census' }, []],
  [{ CENSUS_URL: 'http://geocoder.example' }, []],
  [
    { NARRATIVE_BASE_URL: 'http://llm.example', NARRATIVE_PROVIDER: 'openai', NARRATIVE_MODEL: 'm' },
    ['NARRATIVE_BASE_URL'],
  ],
  [{ NARRATIVE_BASE_URL: 'http://llm.example' }, []],
])('what other machines are sent unencrypted is known: %j', (env, names) => {
  expect(plaintextSettings(load([], env))).toEqual(names);
});

test('of a URL that is refused for its password or its query, neither is repeated', () => {
  expect(() => load([], { NARRATIVE_BASE_URL: 'https://user:a/b@c@llm.example/v1' })).toThrow(
    'NARRATIVE_BASE_URL (--narrative-base-url) is "https://***@llm.example/v1"; accepted:',
  );
  expect(() => load([], { CENSUS_URL: 'https://geo.example/x?key=secret' })).toThrow('is "https://geo.example/x?***"');
  expect(() => load([], { CORS_ORIGINS: 'https://u:secret@a.example' })).toThrow('is "https://***@a.example"');
  expect(() => load([], { CENSUS_URL: 'user:secret@geo.example/x' })).toThrow('is "***@geo.example/x"');
  expect(() => load([], { CENSUS_URL: 'https:user:secret@geo.example' })).toThrow('is "***@geo.example"');
  expect(() => load([], { CENSUS_URL: 'geo.example/x?key=secret' })).toThrow('is "geo.example/x?***"');
  expect(() => load([], { PORT: '80#' })).toThrow('is "80#"');
  expect(() => load([], { PORT: '8000 # of tcp' })).toThrow('is "8000 # of tcp"');
});

test('a proxy is also read from the lower-case variable, and never shown', () => {
  expect(load([], { https_proxy: 'http://a', no_proxy: 'b' })).toMatchObject({ httpsProxy: 'http://a', noProxy: 'b' });
  expect(load([], { https_proxy: 'http://a', HTTPS_PROXY: 'http://b' }).httpsProxy).toBe('http://b');
  expect(describeConfig(load([], { HTTPS_PROXY: 'http://user:secret@b' }))).toContain('HTTPS_PROXY=***\n');
});

test('--watch needs no value, and takes one', () => {
  expect(load([]).watchDatasets).toBe(false);
  expect(load(['--watch', '--port', '1'])).toMatchObject({ watchDatasets: true, port: 1 });
  expect(load(['--port', '1', '--watch']).watchDatasets).toBe(true);
  expect(load(['--watch=false'], { WATCH_DATASETS: 'true' }).watchDatasets).toBe(false);
});

test('--datasets is another name of --datasets-dir', () => {
  expect(load(['--datasets', 'x']).datasetsDir).toBe('x');
  expect(load(['--datasets-dir=y']).datasetsDir).toBe('y');
});

test('API_KEYS is a list of keys and digests, blanks around them ignored', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  expect(load([], { API_KEYS: ` one ,${digest},, two words` }).apiKeys).toEqual(['one', digest, 'two words']);
});

describe('two servers on one port', () => {
  const serve = (host: string, adminHost: string, port = 18_002) => {
    const env = { HOST: host, ADMIN_HOST: adminHost, PORT: String(port), ADMIN_PORT: String(port) };
    return () => loadConfig({ argv: [], env: { ...env, ADMIN_ALLOW_PLAINTEXT: 'true' }, listens: true });
  };
  const message =
    'PORT (--port) and ADMIN_PORT (--admin-port) are both 18002; choose two different ports, or 0 to pick a free one';

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['192.0.2.7', '0.0.0.0'],
    ['0.0.0.0', 'localhost'],
    ['::', '127.0.0.1'],
    ['0.0.0.0', '::'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['localhost', '127.0.0.1'],
    ['::1', 'LOCALHOST'],
    ['a.example', 'A.example'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['::FFFF:7f00:1', 'localhost'],
    ['::ffff:0.0.0.0', '192.0.2.7'],
  ])('are refused where one would take the other’s address: %s, %s', (host, adminHost) => {
    expect(serve(host, adminHost)).toThrow(message);
  });

  test.each([
    ['127.0.0.1', '127.0.0.2'],
    ['0.0.0.0', '::1'],
    ['192.0.2.7', 'localhost'],
    ['a.example', 'b.example'],
  ])('can be on two addresses: %s, %s', (host, adminHost) => {
    expect(serve(host, adminHost)).not.toThrow();
  });

  test('take free ones, and a command that listens on neither does not mind', () => {
    expect(serve('127.0.0.1', '127.0.0.1', 0)).not.toThrow();
    expect(load([], { ADMIN_PORT: '8000' })).toMatchObject({ port: 8000, adminPort: 8000 });
  });
});

test('datasets and state are in two directories, however these are written', () => {
  expect(() => load([], { DATASETS_DIR: 'data', STATE_DIR: './data/' })).toThrow(
    'DATASETS_DIR (--datasets-dir) and STATE_DIR (--state-dir) are both "./data/"; choose two different directories',
  );
  expect(load([], { DATASETS_DIR: 'data/datasets', STATE_DIR: 'data' })).toMatchObject({ stateDir: 'data' });
});

describe('a setting that cannot be used is named with what is accepted', () => {
  test.each([
    [['--port', '65536'], 'PORT (--port) is "65536"; accepted: a whole number from 0 to 65535'],
    [['--port', '8e3'], 'PORT (--port) is "8e3"; accepted: a whole number from 0 to 65535'],
    [
      ['--worker-threads=0'],
      'WORKER_THREADS (--worker-threads) is "0"; accepted: auto, or a whole number from 1 to 256',
    ],
    [['--processes', 'all'], 'PROCESSES (--processes) is "all"; accepted: auto, or a whole number from 1 to 64'],
    [
      ['--log-level', 'loud'],
      'LOG_LEVEL (--log-level) is "loud"; accepted: one of fatal, error, warn, info, debug, silent',
    ],
    [['--host='], 'HOST (--host) is ""; accepted: a host name or an IP address'],
    [['--state-dir', ' '], 'STATE_DIR (--state-dir) is " "; accepted: a path'],
    [
      ['--narrative-model', ' '],
      'NARRATIVE_MODEL (--narrative-model) is " "; accepted: a name of up to 200 characters, not only blanks',
    ],
  ])('%j', (argv, message) => {
    expect(() => load(argv)).toThrow(message);
  });

  test('a model’s name that is too long is told its limit', () => {
    expect(() => load(['--narrative-model', 'x'.repeat(201)])).toThrow('accepted: a name of up to 200 characters');
  });

  test.each(['sha256:abc', 'k\u00e9y', 'x'.repeat(257)])('a key that cannot be one is not repeated: %s', (key) => {
    expect(() => load([], { API_KEYS: `good,${key}` })).toThrow(
      /^API_KEYS \(--api-keys\) is invalid; accepted: keys of/,
    );
  });
});

test.each(['https://a.example', 'http://localhost:3000,https://b.example', '*', ''])(
  'CORS_ORIGINS takes origins as browsers write them: %j',
  (origins) => {
    expect(load([], { CORS_ORIGINS: origins }).corsOrigins).toEqual(origins === '' ? [] : origins.split(','));
  },
);

test.each([
  'a.example',
  'https://a.example/',
  'https://A.example',
  'https://a.example/path',
  'ftp://a.example',
  'null',
])('CORS_ORIGINS takes nothing else: %s', (origins) => {
  expect(() => load([], { CORS_ORIGINS: origins })).toThrow(/^CORS_ORIGINS .*accepted: origins such as/);
});

test.each([
  ['localhost', 'http://localhost:9000/'],
  ['Hooks.Local.', 'http://hooks.local/'],
  ['my_receiver', 'http://my_receiver/'],
  ['münchen.localhost', 'http://münchen.localhost/'],
  ['10.1.2.3', 'http://10.1.2.3/'],
  ['127.1', 'http://127.0.0.1/'],
  ['0x7f.1', 'http://127.0.0.1/'],
  ['127.0.0.1', 'http://2130706433/'],
  ['::1', 'http://[::1]/'],
  ['[::1]', 'http://[::1]/'],
  ['0:0:0:0:0:0:0:1', 'http://[::1]/'],
  ['::ffff:127.0.0.1', 'http://[::ffff:127.0.0.1]/'],
  ['FD00::0A', 'http://[fd00::a]/'],
])('WEBHOOK_ALLOWED_HOSTS=%s opens %s, in whatever notation', (host, text) => {
  const url = new URL(text);
  const { webhookAllowedHosts } = load([], { WEBHOOK_ALLOWED_HOSTS: host });
  expect(webhookAllowedHosts).toEqual([hostOf(url)]);
  expect(findUrlProblem(url, { httpsOnly: false, allowedHosts: new Set(webhookAllowedHosts) })).toBeUndefined();
});

test.each([
  'localhost:9000',
  '127.0.0.1:80',
  '[::1]:80',
  '[127.0.0.1]',
  '[::1',
  'fe80::1%eth0',
  '1.2.3.256',
  '*.example.org',
  '10.0.0.0/8',
  'http://hooks.local',
  'user@hooks.local',
  'a b',
  'a..b',
  '.',
])('WEBHOOK_ALLOWED_HOSTS takes nothing that would never be the host of a URL: %s', (host) => {
  expect(() => load([], { WEBHOOK_ALLOWED_HOSTS: `localhost,${host}` })).toThrow(
    /^WEBHOOK_ALLOWED_HOSTS .*accepted: host names and IP addresses without ports, comma-separated/,
  );
});

test('a base URL loses the slashes at its end, which every path that follows it begins with', () => {
  const url = 'https://a.example/path//';
  const env = { CENSUS_URL: url, NOMINATIM_URL: url, NARRATIVE_BASE_URL: url, PUBLIC_BASE_URL: url };
  const { censusUrl, nominatimUrl, narrativeBaseUrl, publicBaseUrl } = load([], env);
  expect([censusUrl, nominatimUrl, narrativeBaseUrl, publicBaseUrl]).toEqual(Array(4).fill('https://a.example/path'));
});

test.each([
  'https://a.example?',
  'https://a.example/#',
  'https://a.example ',
  'https://a.example/?key=1',
  'https://u@a.example',
])('a base URL is no text to which a path cannot be appended, or that holds a secret: %j', (url) => {
  expect(() => load([], { CENSUS_URL: url })).toThrow(
    /^CENSUS_URL .*accepted: an http or https URL without user, query or fragment/,
  );
});

test('ADMIN_ALLOWED_HOSTS takes names of containers, and none with a port', () => {
  const read = (hosts: string) => load([], { ADMIN_ALLOWED_HOSTS: hosts }).adminAllowedHosts;
  expect(read('admin.example, tract_context')).toEqual(['admin.example', 'tract_context']);
  expect(() => read('tract_context:8001')).toThrow(/^ADMIN_ALLOWED_HOSTS .*accepted: host names without ports/);
});

describe('a language model that cannot be asked stops the start, and what is missing is named', () => {
  const model = { NARRATIVE_MODEL: 'a-model' };
  test.each([
    [{ NARRATIVE_PROVIDER: 'anthropic', ...model }, 'NARRATIVE_PROVIDER=anthropic needs NARRATIVE_API_KEY'],
    [{ NARRATIVE_PROVIDER: 'openai', ...model }, 'NARRATIVE_PROVIDER=openai needs NARRATIVE_API_KEY'],
    [{ NARRATIVE_PROVIDER: 'anthropic', NARRATIVE_API_KEY: 'k' }, 'NARRATIVE_PROVIDER=anthropic needs NARRATIVE_MODEL'],
  ])('%j', (env, message) => {
    expect(() => load([], env)).toThrow(message);
  });

  test('an endpoint of one’s own needs no key', () => {
    const env = { NARRATIVE_PROVIDER: 'openai', NARRATIVE_BASE_URL: 'http://127.0.0.1:8080/v1', ...model };
    expect(load([], env)).toMatchObject({ narrativeProvider: 'openai', narrativeApiKey: '' });
  });

  test.each(['http://user:pass@x.example', 'https://x.example/?a=1', 'ftp://x.example', 'x'])(
    'NARRATIVE_BASE_URL cannot be %s',
    (url) => {
      expect(() => load([], { NARRATIVE_BASE_URL: url })).toThrow(/^NARRATIVE_BASE_URL /);
    },
  );

  test('its key is not shown', () => {
    const env = { NARRATIVE_PROVIDER: 'anthropic', NARRATIVE_API_KEY: 'tell-nobody', ...model };
    expect(describeConfig(load([], env))).toContain('NARRATIVE_API_KEY=***\n');
    expect(describeConfig(load([], env))).not.toContain('tell-nobody');
    expect(describeConfig(load([]))).toContain('NARRATIVE_API_KEY=\n');
  });
});

describe('a flag that does not exist is named with those that do', () => {
  test.each([
    [['--colour', '1'], '--colour'],
    [['-p', '1'], '-p'],
    [['--no-port'], '--no-port'],
  ])('%j', (argv, flag) => {
    expect(() => load(argv)).toThrow(`unknown flag ${flag}; accepted: --host, --port, --datasets-dir, --datasets,`);
  });

  test('all of them, in lines that fit a terminal', () => {
    expect(() => load(['--colour'])).toThrow(
      /^unknown flag --colour; accepted: --.{1,76}(,\n {2}--.{1,76}){8,}(, --|,\n {2}--)print-config$/,
    );
  });

  test.each([
    ['--prot', '--port'],
    ['--dataset=x', '--datasets'],
    ['--RATE_LIMIT_MAX', '--rate-limit-max'],
    ['--state_dir', '--state-dir'],
  ])('%s as the one that may be meant', (flag, meant) => {
    const [name] = flag.split('=');
    expect(() => load([flag])).toThrow(`unknown flag ${name} (${meant} may be meant); accepted: --host,`);
  });

  test('a flag without a value does not take the next flag for it', () => {
    expect(() => load(['--port', '--host', 'x'])).toThrow('--port needs a value');
    expect(() => load(['--port'])).toThrow('--port needs a value');
  });

  test('a flag that is given twice, by whichever name, is refused: one of the values would be lost', () => {
    expect(() => load(['--port', '1', '--port=2'])).toThrow('PORT (--port) is given twice');
    expect(() => load(['--datasets', 'x', '--datasets-dir', 'y'])).toThrow('(--datasets-dir) is given twice');
    expect(() => load(['--watch', '--watch'])).toThrow('(--watch-datasets) is given twice');
  });

  test('--print-config takes no value', () => {
    expect(() => load(['--print-config=yes'])).toThrow('--print-config takes no value');
  });

  test.each([
    [['extra'], 'unexpected argument extra; accepted: --host'],
    [['--port', '1', 'extra'], 'unexpected argument extra; accepted: --host'],
    [['', '--port', '1'], "unexpected argument ''; accepted: --host"],
    [['\u001b[2J'], 'unexpected argument \\u{1b}[2J; accepted: --host'],
    [
      ['--watch', 'maybe'],
      'unexpected argument maybe (if it is the value of --watch, write --watch=maybe); accepted: --host',
    ],
  ])('an argument that belongs to no flag is named: %j', (argv, message) => {
    expect(() => load(argv)).toThrow(message);
  });

  test('an argument that could be a piece of a secret is not repeated', () => {
    const argv = ['--port', '1', '--api-keys', 'tell-nobody,', 'nor-this'];
    expect(() => load(argv)).toThrow(/^unexpected argument after the value of --api-keys; accepted: --host/);
  });
});

test('the settings as shown hold every setting and no secret', () => {
  const { config, printConfig } = loadConfig({ argv: ['--print-config'], env: { API_KEYS: 'tell-nobody,nor-this' } });
  const shown = describeConfig(config);
  expect(printConfig).toBe(true);
  expect(shown).toContain('API_KEYS=*** (2 set)\n');
  expect(shown).not.toMatch(/tell-nobody|nor-this/);
  for (const { name } of Object.values(SETTINGS)) expect(shown).toMatch(new RegExp(`^${name}=`, 'm'));
});

test('the settings as printed are accepted as input, except for secrets', () => {
  for (const argv of [
    [],
    ['--server-timing', 'on', '--webhook-allowed-hosts', 'a,b', '--geocoder', 'embedded,census'],
  ]) {
    const config = load(argv);
    const shown = configEntries(config).filter(({ name }) => name !== SETTINGS.apiKeys.name);
    const env = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
    expect(load([], env)).toEqual(config);
  }
});

test('the help names every setting’s flag, variable, accepted values and default', () => {
  const help = describeSettings();
  expect(help).toContain(
    '  --port  (PORT)\n      TCP port to listen on; 0 picks a free one.\n      Accepts a whole number from 0 to 65535. Default: 8000.\n',
  );
  for (const { name, accepts } of Object.values(SETTINGS)) {
    expect(help).toContain(`(${name})`);
    expect(help).toContain(accepts);
  }
});

describe('GEOCODER', () => {
  test('is one geocoder or an ordered list; unset, nothing leaves the machine', () => {
    expect(load([]).geocoder).toEqual(['embedded']);
    expect(load(['--geocoder', 'embedded, census']).geocoder).toEqual(['embedded', 'census']);
    expect(load([], { GEOCODER: 'census' }).geocoder).toEqual(['census']);
  });

  test.each(['', ',', 'google', 'census,census', 'Census'])('is not %j', (value) => {
    expect(() => load([`--geocoder=${value}`])).toThrow(/^GEOCODER \(--geocoder\) is .*; accepted: one or more of/);
  });

  test('needs a contact and one request a second for the public Nominatim, and neither for one of your own', () => {
    const contact = { NOMINATIM_CONTACT: 'someone@example.org' };
    const own = { NOMINATIM_URL: 'https://nominatim.example.org', NOMINATIM_REQUESTS_PER_SECOND: '50' };
    expect(() => load(['--geocoder', 'embedded,nominatim'])).toThrow('GEOCODER=nominatim needs NOMINATIM_CONTACT');
    expect(() => load(['--geocoder', 'nominatim', '--nominatim-requests-per-second=2'], contact)).toThrow(
      'NOMINATIM_REQUESTS_PER_SECOND (--nominatim-requests-per-second) is "2"; accepted: at most 1 with the public server',
    );
    expect(load(['--geocoder', 'nominatim'], contact).nominatimContact).toBe('someone@example.org');
    expect(load(['--geocoder', 'nominatim'], own).nominatimRequestsPerSecond).toBe(50);
  });

  test.each(['a)b', 'a\nb', 'x'.repeat(201), 'é', ' '])(
    'has no contact that a header could not carry, nor a blank one: %j',
    (contact) => {
      expect(() => load([], { NOMINATIM_CONTACT: contact })).toThrow(/^NOMINATIM_CONTACT/);
    },
  );
});
