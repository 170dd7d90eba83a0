import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packageFile } from '../../../src/platform/package-root.js';
import { freePort } from '../../support/free-port.js';
import type { InputTree } from '../../support/official-files.js';
import { acsYear, officialNation } from '../../support/official-nation.js';
import { startOfficialServer } from '../../support/official-server.js';
import { runProgram } from '../../support/run-program.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Where the newest vintages lie that the manifest knows; their content is that of 2023. */
const NEWEST: readonly (readonly [RegExp, string])[] = [
  [/TIGER2023/, 'TIGER2025'],
  [/tl_2023/, 'tl_2025'],
  [/2023_Gaz/g, '2025_Gaz'],
  [/hky2-3tpn/, 'yjkw-uj5s'],
];
const POPULATION =
  'www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-b01003.dat';
/** EJScreen of 2024 has neither CANCER nor RESP. */
const EJSCREEN = `ID,STATE_NAME,ST_ABBREV,CNTY_NAME,REGION,PM25,OZONE,DSLPM,PTRAF,PRE1960PCT,PNPL,PRMP,PTSDF,PWDIS
10001040100,Delaware,DE,Kent,3,7,40,0.2,100,0.25,0.1,0.2,1.5,0.01
`;

function newestNation(): InputTree {
  const moved = Object.entries(officialNation()).map(([path, content]) => [
    NEWEST.reduce((known, [pattern, newer]) => known.replace(pattern, newer), path),
    content,
  ]);
  return {
    ...Object.fromEntries(moved),
    ...acsYear(2024),
    'dataverse.harvard.edu/api/access/datafile/10775979': EJSCREEN,
  };
}

/** The commands of README's section, as settings and arguments. */
function readmeCommands(): { env: Record<string, string>; args: string[] }[] {
  const readme = readFileSync(packageFile('README.md'), 'utf8');
  const [, section = ''] = /## Load real data\n([\s\S]*?)\n## /.exec(readme) ?? [];
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => {
      const [, name, value = '', rest = ''] = /^(?:(\w+)=(\S+) )?npx tract-context (.*)$/.exec(line) ?? [];
      return { env: name === undefined ? {} : { [name]: value }, args: rest.trim().split(/\s+/) };
    });
}

test('README’s lines load real data, serve it, and update it while it is served', async () => {
  const nation = newestNation();
  const agencies = await startOfficialServer(nation);
  const directory = temporaryDirectory();
  const [port, adminPort] = [await freePort(), await freePort()];
  const settings = { NO_PROXY: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort) };
  const commands = readmeCommands();
  expect(commands.map(({ args: [name] }) => name)).toEqual(['fetch', 'compile', 'inspect', 'serve', 'update']);
  for (const { env, args } of commands) {
    const [name = ''] = args;
    const mirror = ['fetch', 'update'].includes(name) ? ['--from-mirror', agencies.url] : [];
    if (name === 'update') agencies.change({ [POPULATION]: String(nation[POPULATION]).replace('|4052', '|4059') });
    const child = runProgram([...args, ...mirror], { ...settings, ...env }, directory);
    if (name === 'serve') {
      onTestFinished(() => void child.kill('SIGKILL'));
      await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200), 30_000);
      continue;
    }
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(code, `${name}: ${stderr}`).toBe(0);
    expect(stderr).not.toContain('Not fetched');
  }
  const key = commands.map(({ env }) => env.API_KEYS).find((value) => value !== undefined) ?? '';
  const url = `http://127.0.0.1:${port}/v1/tracts/10001040100`;
  const record = await (await fetch(url, { headers: { 'X-API-Key': key } })).json();
  expect(record).toMatchObject({ total_population: 4059, svi_themes: { rpl_themes: 0.2 } });
});
