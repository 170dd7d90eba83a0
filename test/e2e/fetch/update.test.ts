import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generationPath, readCurrent } from '../../../src/catalog/directory/generations.js';
import { TRACTS_FILE } from '../../../src/format/tracts-file.js';
import { administer } from '../../support/administered-service.js';
import { startFakeServer } from '../../support/fake-server.js';
import { writeTree } from '../../support/official-files.js';
import { acsYear, NATION_TRACTS, officialNation, REDRAWN } from '../../support/official-nation.js';
import { type Fault, startOfficialServer } from '../../support/official-server.js';
import { runHere } from '../../support/run-here.js';
import { startService, TEST_KEY } from '../../support/service-process.js';
import { smallInput } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const STATES = '09,10,11';
/** ACS years of all three layouts: in sequences, as tables in a prototype, as tables. */
const YEARS = [2013, 2019, 2020, 2021, 2022, 2023];
const TREND_YEARS = ['--trend-years', YEARS.join(',')];
const PROXIES = { NO_PROXY: '127.0.0.1' };

/** The day that it is, by which the program tells when files were fetched: another one soon, if it is midnight. */
const today = (): string => new Date().toISOString().slice(0, 10);
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** One thing or another goes wrong with the first answer for many a file, as on a bad day. */
function badDay(path: string, nth: number): Fault | undefined {
  if (nth > 1) return undefined;
  if (path.includes('b01003')) return { status: 503, retryAfter: '0' };
  if (path.includes('b19013')) return { status: 429, retryAfter: '0' };
  if (path.includes('b17001')) return { dropAfterBytes: 100 };
  if (path.includes('CenPop')) return { announceMoreBytes: 5 };
  if (path.includes('tl_2023_10_tract')) return { body: '<html>busy' };
  return path.includes('SVI_') ? { pieceBytes: 100, everyMs: 1 } : undefined;
}

test('fetch, compile, serve; then a second vintage by update alone, live and told to subscribers', async () => {
  const agencies = await startOfficialServer(officialNation(), { fault: badDay });
  const root = temporaryDirectory();
  const [raw, datasets] = [join(root, 'raw'), join(root, 'datasets')];
  const from = ['--states', STATES, '--from-mirror', agencies.url];

  const begunOn = today();
  const earlier = [...from, '--year', '2022', '--sources', 'acs', ...TREND_YEARS];
  const first = await runHere(['fetch', '--output', raw, ...earlier], PROXIES);
  expect(first).toMatchObject({ code: 0 });
  // The newest year is not there yet.
  const fetched = await runHere(
    ['fetch', '--output', raw, ...from, '--year', '2023', '--trend-years', 'none'],
    PROXIES,
  );
  expect(fetched.stderr).not.toContain('Not fetched');
  expect(fetched.code).toBe(0);
  expect(fetched.stderr).toMatch(/Downloaded from your mirror/);
  const compiled = await runHere(['compile', '--input', raw, '--output', datasets, '--states', STATES]);
  expect(compiled).toMatchObject({ code: 0 });

  const service = await startService(datasets, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  onTestFinished(service.kill);
  const receiver = await startFakeServer((response) => void response.writeHead(204).end());
  const subscribed = await service.fetch('/v1/webhooks', {
    method: 'POST',
    headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, events: ['data.updated'] }),
  });
  expect(subscribed.status).toBe(201);
  const population = async (): Promise<unknown> =>
    JSON.parse(await (await service.fetch('/v1/tracts/10001040100')).text()).total_population;
  expect(await population()).toBe(4042);

  agencies.change(acsYear(2024));
  const { command } = await administer(service);
  const report = join(root, 'changes.json');
  const updated = await command(
    ...['update', '--input', raw, '--output', datasets, ...from, '--sources', 'acs,gazetteer', '--year', '2024'],
    ...TREND_YEARS,
    ...['--report', report],
  );
  // The gazetteer of 2024 is not out: that is said, and the rest goes on.
  expect(updated.stderr).toContain('Not fetched: gazetteer/2024/2024_Gaz_tracts_national.zip');
  expect(updated.stderr).toMatch(/[0-9a-f]{32} is now live in the service.*tracts: 6 changed/);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    changes: { changedTracts: 6, addedTracts: 0, removedTracts: 0 },
    losses: [],
  });
  expect(await population()).toBe(4052);
  await receiver.received(NATION_TRACTS.length);
  expect(new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.geoid))).toEqual(
    new Set(NATION_TRACTS.map(({ geoid }) => geoid)),
  );

  // Years on 2010 tracts came over the relationship file, Connecticut's by the crosswalk besides; a redrawn tract has none.
  const years = async (geoid: string): Promise<number[]> => {
    const answer = JSON.parse(await (await service.fetch(`/v1/trends?geoid=${geoid}`)).text());
    return answer.years.map(({ year }: { year: number }) => year);
  };
  const everyYear = [...YEARS, 2024];
  expect(await years('10001040100')).toEqual(everyYear);
  expect(await years('09110500100')).toEqual(everyYear);
  expect(await years(REDRAWN)).toEqual([2020, 2021, 2022, 2023, 2024]);
  const told = await runHere(['inspect', datasets, '--geoid', REDRAWN]);
  expect(told.stderr).toMatch(/2013: published on 2010 tracts.*\n.*2019:/);
  expect(JSON.parse(told.stdout)).toMatchObject({ total_population: 4053 });

  // How old it all is: on the public port, in the admin plane, and of the files themselves.
  const fetchedOn = [begunOn, today()];
  const metrics = JSON.parse(await (await service.fetch('/metrics')).text());
  expect(
    metrics.sources
      .filter(({ source }: { source: string }) => source === 'acs')
      .map(({ vintage }: { vintage: string }) => vintage),
  ).toEqual(everyYear.map(String).reverse());
  const hrsa = metrics.sources.find(({ source }: { source: string }) => source === 'hrsa');
  expect(hrsa).toEqual({ source: 'hrsa', vintage: null, fetched: expect.any(String), age_days: expect.any(Number) });
  expect(fetchedOn).toContain(hrsa.fetched);
  expect([fetchedOn[1] ?? '', today()].map((day) => daysBetween(hrsa.fetched, day))).toContain(hrsa.age_days);
  const prometheus = await (await service.fetch('/metrics', { headers: { Accept: 'text/plain' } })).text();
  expect(prometheus).toMatch(/^tract_context_source_age_seconds\{source="svi",vintage="2022"\} \d{7,}$/m);
  const day = `(?:${fetchedOn.join('|')})`;
  expect((await command('datasets', 'current')).stdout).toMatch(new RegExp(`^acs +2013 +\\d+ years +${day}$`, 'm'));
  expect((await command('datasets', 'list')).stdout).toMatch(/acs 2024, addrfeat 2023.*, zcta 2023$/m);
  expect((await runHere(['inspect', datasets])).stdout).toMatch(new RegExp(`^svi +2022 +\\d+ years +${day}$`, 'm'));

  const again = await command(
    ...['update', '--input', raw, '--output', datasets, ...from, '--sources', 'acs', '--year', '2024'],
    ...TREND_YEARS,
  );
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing changed') });
}, 120_000);

test('update refuses to publish a dataset that lost coverage and lists the losses, unless forced', async () => {
  const agencies = await startOfficialServer(officialNation());
  const root = temporaryDirectory();
  const [raw, datasets] = [join(root, 'raw'), join(root, 'datasets')];
  const update = (...more: string[]) =>
    runHere(
      [
        ...['update', '--input', raw, '--output', datasets, '--from-mirror', agencies.url, '--states', STATES],
        ...['--year', '2023', '--trend-years', 'none', '--sources', 'gazetteer,svi,cenpop', '--no-reload', ...more],
      ],
      PROXIES,
    );
  expect(await update()).toMatchObject({ code: 0 });
  const current = readFileSync(join(datasets, 'CURRENT'), 'utf8');
  const path = 'svi.cdc.gov/Documents/Data/2022/csv/states/SVI_2022_US.csv';
  const text = String(officialNation()[path]);
  agencies.change({ [path]: text.replace(/^11,.*\n/m, '') });
  const refused = await update();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(
    'more than 2% of the published data would be lost; to publish anyway, pass --force:',
  );
  expect(refused.stderr).toMatch(/11 svi_themes\.rpl_themes: 1 before, 0 now \(100% less\)/);
  expect(readFileSync(join(datasets, 'CURRENT'), 'utf8')).toBe(current);
  // The files have not changed since, and were not published: a second try must not take them for done.
  expect(await update()).toMatchObject({ code: 1 });
  expect(await update('--force')).toMatchObject({ code: 0 });
  expect(readFileSync(join(datasets, 'CURRENT'), 'utf8')).not.toBe(current);
  // A live dataset that is broken keeps nobody from the next one.
  const generation = readFileSync(join(datasets, 'CURRENT'), 'utf8').trim();
  truncateSync(join(generationPath(datasets, generation), TRACTS_FILE), 100);
  const mended = await update();
  expect(mended).toMatchObject({ code: 0, stderr: expect.stringContaining('The published dataset cannot be read') });
  writeFileSync(join(datasets, 'CURRENT'), 'garbage');
  expect(await update()).toMatchObject({ code: 0, stderr: expect.stringContaining('CURRENT names no generation') });
  expect(await runHere(['inspect', datasets])).toMatchObject({ code: 0 });
}, 120_000);

test('every update writes its own report: the first one, one without changes, and one after damage', async () => {
  const root = temporaryDirectory();
  const [datasets, report] = [join(root, 'datasets'), join(root, 'report.json')];
  const input = writeTree(join(root, 'in'), smallInput());
  const reported = async (...more: string[]): Promise<unknown> => {
    writeFileSync(report, '{"of": "an earlier run"}');
    const folders = ['--input', input, '--output', datasets];
    const { code } = await runHere(['update', '--no-fetch', '--no-reload', ...folders, '--report', report, ...more]);
    expect(code).toBe(0);
    return JSON.parse(readFileSync(report, 'utf8'));
  };
  const none = { changedTracts: 0, addedTracts: 0, removedTracts: 0 };
  const first = { tractsBefore: 0, tractsAfter: 5, changes: { ...none, addedTracts: 5 }, largestMoves: [], losses: [] };
  expect(await reported()).toMatchObject(first);
  const same = { tractsBefore: 5, tractsAfter: 5, changes: none, largestMoves: [], losses: [] };
  expect(await reported()).toMatchObject(same);
  // Compiled again, as another option was given, to what was there before.
  expect(await reported('--all-providers')).toMatchObject(same);
  writeFileSync(join(datasets, 'CURRENT'), 'garbage');
  expect(await reported()).toMatchObject(first);
}, 60_000);

test('an update leaves a rollback as it is while the files are the same, and says so, unless forced', async () => {
  const root = temporaryDirectory();
  const datasets = join(root, 'datasets');
  const [good, bad, other] = [100, 200, 300].map((poor) => writeTree(join(root, `in${poor}`), smallInput(poor)));
  const compiled = await runHere(['compile', '--input', good ?? '', '--output', datasets]);
  expect(compiled).toMatchObject({ code: 0 });
  const first = readCurrent(datasets);
  const service = await administer(await startService(datasets));
  onTestFinished(service.kill);
  const update = (input = '', ...more: string[]) =>
    service.command('update', '--no-fetch', '--input', input, '--output', datasets, ...more);
  expect(await update(bad)).toMatchObject({ code: 0 });
  const withdrawn = readCurrent(datasets);
  expect(withdrawn).not.toBe(first);
  expect(await service.command('datasets', 'rollback', '--yes')).toMatchObject({ code: 0 });
  // Known from the record, and found again by compiling: with another option, the record does not tell.
  for (const more of [[], ['--all-providers']]) {
    const { code, stderr } = await update(bad, ...more);
    expect([code, readCurrent(datasets)]).toEqual([0, first]);
    expect(stderr).toContain(`These files compile to ${withdrawn}, which has been rolled back from`);
    expect(stderr).not.toContain('Published');
  }
  expect(await update(other)).toMatchObject({ code: 0 });
  expect([first, withdrawn]).not.toContain(readCurrent(datasets));
  expect(await update(bad)).toMatchObject({ code: 0, stderr: expect.stringContaining('has been rolled back from') });
  const forced = await update(bad, '--force');
  expect([forced.code, forced.stderr]).toEqual([0, expect.stringContaining(', which had been rolled back from')]);
  expect(readCurrent(datasets)).toBe(withdrawn);
  expect(await update(bad)).toMatchObject({ code: 0, stderr: expect.stringContaining('compiled from these files') });
}, 120_000);

test('an update mends a published dataset whose files are no longer those that it was published with', async () => {
  const root = temporaryDirectory();
  const datasets = join(root, 'datasets');
  const inputs = [0, 1].map((poor) => writeTree(join(root, `in${poor}`), smallInput(poor)));
  const update = (input = '') =>
    runHere(['update', '--no-fetch', '--no-reload', '--input', input, '--output', datasets]);
  const files: string[] = [];
  for (const input of inputs) {
    expect((await update(input)).code).toBe(0);
    files.push(join(generationPath(datasets, readCurrent(datasets) ?? ''), TRACTS_FILE));
  }
  const [other = '', own = ''] = files;
  const published = readFileSync(own);
  copyFileSync(other, own);
  const { code, stderr } = await update(inputs[1]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('its missing or damaged files were written again')]);
  expect(readFileSync(own)).toEqual(published);
}, 60_000);

test('an update that cannot record what it compiled from has published all the same, and says so', async () => {
  const root = temporaryDirectory();
  const datasets = join(root, 'datasets');
  const input = writeTree(join(root, 'in'), smallInput());
  mkdirSync(join(datasets, '.compiled-from.json'), { recursive: true });
  const folders = ['--input', input, '--output', datasets];
  const { code, stderr } = await runHere(['update', '--no-fetch', '--no-reload', ...folders]);
  expect(code).toBe(0);
  expect(stderr).toContain(`Published ${readFileSync(join(datasets, 'CURRENT'), 'utf8').trim()} in ${datasets}`);
  expect(stderr).toContain('cannot be recorded, so the next update compiles again: a directory is in the way');
  expect(stderr).not.toContain('Nothing was published');
});
