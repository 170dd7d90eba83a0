import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { run as datasets } from '../../src/cli/commands/datasets.js';
import { run as keys } from '../../src/cli/commands/keys.js';
import { run as system } from '../../src/cli/commands/system.js';
import { run as webhooks } from '../../src/cli/commands/webhooks.js';
import { errorSchema } from '../../src/http/schemas/system.js';
import { YOUNG_GENERATION } from '../../src/platform/garbage-collection.js';
import { packageFile } from '../../src/platform/package-root.js';
import type { Setting } from '../../src/settings/setting.js';
import { SETTINGS } from '../../src/settings/settings.js';

const README = readFileSync(packageFile('README.md'), 'utf8');

/** The table's cell for a default. */
function shownDefault({ fallback }: Setting<unknown>): string {
  return fallback === '' ? '' : `\`${fallback}\``;
}

it('lists every setting in README with its default and what it is about, and no other', () => {
  const settings: Setting<unknown>[] = Object.values(SETTINGS);
  const rows = settings.map((entry) => `| \`${entry.name}\` | ${shownDefault(entry)} | ${entry.about} |`);
  const listed = README.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line));
  expect(listed).toEqual(rows);
});

it.each(Object.entries({ keys, datasets, webhooks, system }))(
  'lists in README every action of %s',
  async (name, run) => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      await run(['--help']);
      const actions = [...String(printed.mock.calls[0]).matchAll(/^ {2}(\w+)/gm)].map(([, action]) => action);
      const [, listed = ''] = new RegExp(`^\\| \`${name}\` ([^|]+) \\|`, 'm').exec(README) ?? [];
      expect([...listed.matchAll(/`(\w+)`/g)].map(([, action]) => action)).toEqual(actions);
    } finally {
      printed.mockRestore();
    }
  },
);

it('names in README every runtime dependency, and nothing that is none', () => {
  const { dependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const table = README.slice(README.indexOf('| package | why |'), README.indexOf('`npm run lint`'));
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap((match) => (match[1] ?? '').split(', '));
  expect(named.filter((name) => name !== 'package').sort()).toEqual(Object.keys(dependencies).sort());
});

it('starts the service with the young generation that README tells a supervisor to set', () => {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  expect(scripts.start).toBe(`exec node ${YOUNG_GENERATION} dist/program/main.js start`);
  expect(README).toContain(`ExecStart=/usr/bin/node ${YOUNG_GENERATION} dist/program/main.js serve`);
});

it('has systemd start the service again however often it has failed: five starts in ten seconds would be its last', () => {
  const [, seconds = '0'] = /^Restart=always\nRestartSec=(\d+)$/m.exec(README) ?? [];
  expect(Number(seconds) * 5).toBeGreaterThan(10);
});

/** The lines of README's configuration of nginx. */
const NGINX = (/^```nginx\n([^`]+)```$/m.exec(README)?.[1] ?? '').split('\n').map((line) => line.trim());

it('shows an nginx that keeps addresses off its disk: no URL in a log, no body and no answer in a temporary file', () => {
  expect(NGINX).toContain('access_log off;');
  // At `crit` and `alert`, nginx names the request that it has no connection, no port or no file for.
  expect(NGINX).toContainEqual(expect.stringMatching(/^error_log \S+ emerg;$/));
  // As large as the largest body that nginx takes by default.
  expect(NGINX).toContain('client_body_buffer_size 1m;');
  expect(NGINX).toContain('proxy_max_temp_file_size 0;');
});

it('shows an nginx whose own errors have the form of the service’s, as clients are promised of every error', () => {
  const pages = NGINX.flatMap((line) => /^error_page ([\d ]+?)(?: =(\d+))? \/proxy-error;$/.exec(line)?.slice(1) ?? []);
  // To a body or a URL that is too long, to headers that are (494, which is nginx's own), and while nothing answers.
  expect(pages.join(' ').split(' ')).toEqual(expect.arrayContaining(['400', '413', '414', '494', '502', '504']));
  const [, text = ''] = /^return 200 '(.+)';$/m.exec(NGINX.join('\n')) ?? [];
  expect(errorSchema.safeParse(JSON.parse(text.replace('$status', '502'))).success).toBe(true);
});

it('names in README only metrics and events of the log that exist: an alert on another would never fire', () => {
  const metrics = sourceText('src/http/metrics');
  const named = [...README.matchAll(/tract_context_(\w+)/g)].map(([, name = '']) => name.replace(/_bucket$/, ''));
  expect(named).toContain('webhook_dead_letters');
  const ofProcesses = [...README.matchAll(/\bprocess_\w+_fds\b/g)].map(([name]) => name);
  expect(ofProcesses).toContain('process_open_fds');
  expect([...named, ...ofProcesses].filter((name) => !metrics.includes(`'${name}'`))).toEqual([]);
  const [, events = ''] = /What has no metric is an `event` in the log: ([^.]+)\./.exec(README) ?? [];
  const logged = [...events.matchAll(/`([^`]+)`/g)].map(([, event]) => event);
  expect(logged).toContain('state-disk-full');
  const source = sourceText('src');
  expect(logged.filter((event) => !source.includes(`event: '${event}'`))).toEqual([]);
});

it('names in README every event of the log that warns', () => {
  const warnings = sourceText('src').matchAll(/\.(?:warn|error)\(\s*\{\s*event: '([^']+)'/g);
  const events = [...new Set([...warnings].map(([, event]) => event))];
  expect(events).toContain('admin-certificate-refused');
  expect(events.filter((event) => !README.includes(`\`${event}\``))).toEqual([]);
});

it.each(['README.md', 'bench/README.md'])(
  '%s has no comment behind a command: zsh would take it for arguments',
  (path) => {
    const blocks = readFileSync(packageFile(path), 'utf8').matchAll(/^```sh\n([^`]*)^```/gm);
    const lines = [...blocks].flatMap(([, block = '']) => block.split('\n'));
    expect(lines).toContainEqual(expect.stringMatching(/^npm /));
    expect(lines.filter((line) => /(^|\s)#/.test(line))).toEqual([]);
  },
);

/** The text of all modules in a directory. */
function sourceText(directory: string): string {
  const paths = readdirSync(packageFile(directory), { recursive: true, encoding: 'utf8' });
  const modules = paths.filter((path) => path.endsWith('.ts'));
  return modules.map((path) => readFileSync(packageFile(`${directory}/${path}`), 'utf8')).join('\n');
}
