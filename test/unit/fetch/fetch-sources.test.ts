import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { openDataset } from '../../../src/format/dataset.js';
import { FetchSetupError } from '../../../src/load/fetch/fetch-error.js';
import { takeFetchLock } from '../../../src/load/fetch/fetch-lock.js';
import { storeLayout } from '../../../src/load/fetch/store-layout.js';
import { listFiles } from '../../../src/load/files/list-files.js';
import { acsSequenceTree } from '../../support/acs-sequences.js';
import { runTestFetch } from '../../support/fetching.js';
import { listenLocally } from '../../support/listen-locally.js';
import { load } from '../../support/loading.js';
import { acsApiText, gazetteerText, tractName } from '../../support/official-files.js';
import { startOfficialServer } from '../../support/official-server.js';
import {
  CENPOP,
  CENPOP_FILE,
  CENPOP_TEXT,
  fetchCenpop,
  GAZETTEER,
  GAZETTEER_FILE,
  gazetteer,
  outcomes,
  read,
} from '../../support/small-downloads.js';
import { DELAWARE } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { zipArchive } from '../../support/zip-writer.js';

describe('a fetch', () => {
  it('stores a file unchanged, and leaves nothing else that compile could find', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const { outputDir, report } = await fetchCenpop(server.url);
    expect(report.files).toMatchObject([
      {
        outcome: 'new',
        path: CENPOP_FILE,
        record: { vintage: '2020', tractVintage: 2020, sizeBytes: CENPOP_TEXT.length + 2 },
      },
    ]);
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    expect(listFiles(outputDir).files).toEqual([join(outputDir, CENPOP_FILE)]);
  });

  it('asks a second time only whether anything changed, and moves no byte', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const { outputDir } = await fetchCenpop(server.url);
    const sentBytes = server.sentBytes();
    const second = await fetchCenpop(server.url, { outputDir });
    expect(outcomes(second)).toEqual(['unchanged']);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 304]);
    expect(server.sentBytes()).toBe(sentBytes);
  });

  it('asks another server for the whole file, which may be another one with the same validators', async () => {
    const first = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const { outputDir, report } = await fetchCenpop(first.url);
    expect(report.files).toMatchObject([{ record: { url: `${first.url}/${CENPOP}` } }]);
    const second = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    await fetchCenpop(second.url, { outputDir });
    expect(second.requests.map(({ status }) => status)).toEqual([200]);
  });

  it('takes a file that changed on the server, and says so with both checksums', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const { outputDir } = await fetchCenpop(server.url);
    server.change({ [CENPOP]: `${CENPOP_TEXT}more\n` });
    const second = await fetchCenpop(server.url, { outputDir });
    expect(outcomes(second)).toEqual(['updated']);
    expect(read(outputDir)).toBe(`${CENPOP_TEXT}more\n`);
    expect(second.lines.join('\n')).toMatch(/its content changed \(SHA-256 [0-9a-f]{64} before, [0-9a-f]{64} now\)/);
  });

  it('fetches again what was altered or cut off on disk, and not what was only touched', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const { outputDir } = await fetchCenpop(server.url);
    utimesSync(join(outputDir, CENPOP_FILE), 1, 1);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['unchanged']);
    expect(server.requests.at(-1)).toMatchObject({ status: 304 });
    writeFileSync(join(outputDir, CENPOP_FILE), CENPOP_TEXT.replace('10', '11'));
    await fetchCenpop(server.url, { outputDir });
    expect(read(outputDir)).toBe(CENPOP_TEXT);
    writeFileSync(join(outputDir, CENPOP_FILE), CENPOP_TEXT.slice(0, 99));
    await fetchCenpop(server.url, { outputDir });
    expect(read(outputDir)).toBe(CENPOP_TEXT);
  });

  it('finds a server that knows no ETag and no length unchanged by the bytes', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT }, { plain: true });
    const { outputDir } = await fetchCenpop(server.url);
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['unchanged']);
  });
});

describe('many files', () => {
  const county = (fips: string): string => `www2.census.gov/geo/tiger/TIGER2023/ADDRFEAT/tl_2023_${fips}_addrfeat.zip`;
  const archive = zipArchive({ 'a.txt': 'x' });

  it('asks for the counties that the gazetteer of the year has, in the states wanted', async () => {
    const server = await startOfficialServer({
      [GAZETTEER]: gazetteer(),
      [county('10001')]: archive,
      [county('10003')]: archive,
    });
    const { report } = await runTestFetch({ sources: ['addrfeat'], year: 2023, mirror: server.url });
    expect(report.files.map(({ path, outcome }) => [path, outcome])).toEqual([
      [GAZETTEER_FILE, 'new'],
      ['addrfeat/2023/tl_2023_10001_addrfeat.zip', 'new'],
      ['addrfeat/2023/tl_2023_10003_addrfeat.zip', 'new'],
    ]);
    expect(new Set(DELAWARE.map(({ geoid }) => geoid.slice(0, 5)))).toEqual(new Set(['10001', '10003']));
  });

  it('brings the others where one cannot be had', async () => {
    const server = await startOfficialServer({ [GAZETTEER]: gazetteer(), [county('10003')]: archive });
    const { report } = await runTestFetch({ sources: ['addrfeat'], year: 2023, mirror: server.url });
    expect(report.files.map(({ outcome }) => outcome)).toEqual(['new', 'failed', 'new']);
  });

  it('hashes only a few at a time, where all were touched', async () => {
    const fips = Array.from({ length: 60 }, (_, at) => String(10001 + 2 * at));
    const tracts = fips.map((countyFips) => ({ ...DELAWARE[0], geoid: `${countyFips}000100` }) as (typeof DELAWARE)[0]);
    const server = await startOfficialServer({
      [GAZETTEER]: zipArchive({ '2023_Gaz_tracts_national.txt': gazetteerText(tracts) }),
      ...Object.fromEntries(fips.map((countyFips) => [county(countyFips), archive])),
    });
    const wanted = { sources: ['addrfeat'], year: 2023, mirror: server.url };
    const { outputDir } = await runTestFetch(wanted);
    for (const countyFips of fips)
      utimesSync(join(outputDir, `addrfeat/2023/tl_2023_${countyFips}_addrfeat.zip`), 1, 1);
    let most = 0;
    const sampling = setInterval(() => {
      const requests = process.getActiveResourcesInfo().filter((resource) => resource.startsWith('FSReq'));
      most = Math.max(most, requests.length);
    });
    const { report } = await runTestFetch(wanted, { outputDir }).finally(() => clearInterval(sampling));
    expect(new Set(report.files.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
    expect(most).toBeLessThan(30);
  });

  it('says that the gazetteer is missing where that is why there are no counties', async () => {
    const server = await startOfficialServer({});
    const { report } = await runTestFetch({ sources: ['addrfeat'], year: 2023, mirror: server.url });
    expect(report.files).toMatchObject([
      { outcome: 'failed', path: GAZETTEER_FILE },
      { outcome: 'failed', why: 'the list of counties comes from the gazetteer of 2023, which is missing' },
    ]);
  });
});

describe('tables in sequences', () => {
  const wanted = { sources: ['acs-seq'], trendYears: [] };
  const tree = acsSequenceTree('Delaware', { year: 2018, state: 'de', tracts: DELAWARE, estimate: () => 100 });

  it('come as far as the lookup of the year has the tables in them, with the lookup and the geography', async () => {
    const server = await startOfficialServer(tree);
    const first = await runTestFetch({ ...wanted, mirror: server.url });
    expect(first.report.files.map(({ path, outcome }) => [path.replace('acs-seq/2018/', ''), outcome])).toEqual([
      ['ACS_5yr_Seq_Table_Number_Lookup.txt', 'new'],
      ['g20185de.csv', 'new'],
      ...['0003', '0049', '0059', '0078', '0118'].map((sequence) => [`20185de${sequence}000.zip`, 'new']),
    ]);
    const second = await runTestFetch({ ...wanted, mirror: server.url }, { outputDir: first.outputDir });
    expect(new Set(outcomes(second))).toEqual(new Set(['unchanged']));
  });

  it('take the lookup from wherever the agency has it in that year', async () => {
    const root = 'www2.census.gov/programs-surveys/acs/summary_file/2018/documentation';
    const lookup = `${root}/user_tools/ACS_5yr_Seq_Table_Number_Lookup.txt`;
    const elsewhere = `${root}/5_year/user_tools/Sequence_Number_and_Table_Number_Lookup.txt`;
    const { [lookup]: text = '', ...others } = tree;
    const server = await startOfficialServer({ ...others, [elsewhere]: text });
    expect(outcomes(await runTestFetch({ ...wanted, mirror: server.url }))).not.toContain('failed');
  });

  it.each([
    [undefined, 'the list of sequences comes from the lookup file of 2018, which is missing'],
    ['Table ID,Sequence Number,Line Number,Start Position\nB01003,3,,7\n', 'it does not list the table B01002'],
  ])('are said to be unknown where the lookup does not tell them: %j', async (text, why) => {
    const lookup = Object.keys(tree).find((path) => path.includes('Lookup')) ?? '';
    const server = await startOfficialServer(text === undefined ? {} : { [lookup]: text });
    const { report } = await runTestFetch({ ...wanted, mirror: server.url });
    expect(report.files.at(-1)).toMatchObject({ outcome: 'failed', why: expect.stringContaining(why) });
  });
});

describe('files whose names an index tells', () => {
  const INDEX = 'download.cms.gov/nppes/NPI_Files.html';
  const monthly = (name: string): string => `download.cms.gov/nppes/NPPES_Data_Dissemination_${name}_V2.zip`;
  const page = (...names: string[]): string =>
    names.map((name) => `<a href='./NPPES_Data_Dissemination_${name}_V2.zip'>file</a>`).join('\n');
  const archive = zipArchive({ 'npidata_pfile_20050523-20251109.csv': 'NPI\n' });

  it('takes the newest month and every week, and lets last month’s go once the new one is whole', async () => {
    const week = '110325_110925_Weekly';
    const server = await startOfficialServer({
      [INDEX]: page('October_2025', 'November_2025', week),
      [monthly('October_2025')]: archive,
      [monthly('November_2025')]: archive,
      [monthly(week)]: archive,
    });
    const first = await runTestFetch({ sources: ['nppes'], mirror: server.url });
    expect(first.report.files.map(({ path }) => path)).toEqual([
      'nppes/NPPES_Data_Dissemination_November_2025_V2.zip',
      `nppes-weekly/NPPES_Data_Dissemination_${week}_V2.zip`,
    ]);
    server.change({ [INDEX]: page('December_2025', week) });
    const { outputDir } = first;
    const broken = await runTestFetch({ sources: ['nppes'], mirror: server.url }, { outputDir });
    expect(broken.report.removed).toEqual([]);
    server.change({ [monthly('December_2025')]: archive });
    const third = await runTestFetch({ sources: ['nppes'], mirror: server.url }, { outputDir });
    expect(third.report.removed).toEqual(['nppes/NPPES_Data_Dissemination_November_2025_V2.zip']);
    expect(readdirSync(join(outputDir, 'nppes'))).toEqual(['NPPES_Data_Dissemination_December_2025_V2.zip']);
  });

  it('keeps no unfinished download of a file that the page no longer names, once the others are whole', async () => {
    const unfinished = (outputDir: string) => {
      const parts = join(outputDir, '.fetch', 'parts', 'nppes');
      return existsSync(parts) ? readdirSync(parts).filter((name) => name.endsWith('.zip')) : [];
    };
    const server = await startOfficialServer(
      { [INDEX]: page('November_2025'), [monthly('November_2025')]: archive },
      {
        fault: (path, nth) => {
          if (!path.includes('November')) return undefined;
          return nth === 1 ? { dropAfterBytes: 20 } : { status: 503 };
        },
      },
    );
    const { outputDir } = await runTestFetch({ sources: ['nppes'], mirror: server.url });
    const november = ['NPPES_Data_Dissemination_November_2025_V2.zip'];
    expect(unfinished(outputDir)).toEqual(november);
    server.change({ [INDEX]: page('December_2025') });
    await runTestFetch({ sources: ['nppes'], mirror: server.url }, { outputDir });
    expect(unfinished(outputDir)).toEqual(november);
    server.change({ [monthly('December_2025')]: archive });
    await runTestFetch({ sources: ['nppes'], mirror: server.url }, { outputDir });
    expect(unfinished(outputDir)).toEqual([]);
  });

  it('believes no page that came without a length and lacks its end, so that it takes none of what is there for old', async () => {
    let text = `<html>${page('October_2025', 'November_2025')}</html>\n`;
    const server = createServer((request, response) => {
      if (!request.url?.endsWith('.html')) response.end(archive);
      else {
        // The end of the connection is the page's.
        response.useChunkedEncodingByDefault = false;
        response.writeHead(200, { connection: 'close' }).end(text);
      }
    });
    const mirror = `http://127.0.0.1:${await listenLocally(server)}`;
    const { outputDir } = await runTestFetch({ sources: ['nppes'], mirror });
    const november = ['NPPES_Data_Dissemination_November_2025_V2.zip'];
    expect(readdirSync(join(outputDir, 'nppes'))).toEqual(november);
    text = text.slice(0, text.indexOf('November'));
    const { report } = await runTestFetch({ sources: ['nppes'], mirror }, { outputDir });
    const why = expect.stringContaining('the page came without a length and looks truncated\n  See https://');
    expect(report.files).toMatchObject([
      { outcome: 'failed', download: 'nppes', why },
      { outcome: 'failed', download: 'nppes-weekly', why },
    ]);
    expect(readdirSync(join(outputDir, 'nppes'))).toEqual(november);
  });

  it('says so where the page names none any more', async () => {
    const server = await startOfficialServer({ [INDEX]: '<p>We moved' });
    const { report } = await runTestFetch({ sources: ['nppes'], mirror: server.url });
    const why = expect.stringMatching(/^the page no longer lists such a file\n {2}See https:\/\/download\.cms\.gov\//);
    expect(report.files[0]).toMatchObject({ outcome: 'failed', why });
  });
});

it('takes a file with a query from a server of what wget has saved, where the query is a part of its name', async () => {
  const saved = '/data.cdc.gov/api/views/yjkw-uj5s/rows.csv?accessType=DOWNLOAD';
  const fileServer = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (decodeURIComponent(path) === saved) response.end('StateAbbr,TractFIPS\n');
    else response.writeHead(404).end();
  });
  const mirror = `http://127.0.0.1:${await listenLocally(fileServer)}`;
  expect(outcomes(await runTestFetch({ sources: ['places'], mirror }))).toEqual(['new']);
});

describe('a product that its agency took down', () => {
  it('comes from the first mirror that has it, and is recorded as a copy', async () => {
    const server = await startOfficialServer({ 'dataverse.harvard.edu/api/access/datafile/10775979': 'ID,PM25\n' });
    const { report } = await runTestFetch({ sources: ['ejscreen'], mirror: server.url });
    expect(report.files).toMatchObject([
      { outcome: 'new', path: 'ejscreen/2024/EJScreen_2024_Tract_with_AS_CNMI_GU_VI.csv' },
    ]);
  });

  it('is there once, under whatever name it came, so that compile does not find its rows twice', async () => {
    const [harvard, epa] = [
      'dataverse.harvard.edu/api/access/datafile/10775979',
      'gaftp.epa.gov/EJScreen/2024/2.32_August_UseMe/EJScreen_2024_Tract_with_AS_CNMI_GU_VI.csv.zip',
    ];
    const [plain, zipped] = ['csv', 'csv.zip'].map(
      (ending) => `ejscreen/2024/EJScreen_2024_Tract_with_AS_CNMI_GU_VI.${ending}`,
    );
    const server = await startOfficialServer({ [harvard]: 'ID,PM25\n', [epa]: zipArchive({ 'a.csv': 'ID,PM25\n' }) });
    const wanted = { sources: ['ejscreen'], mirror: server.url };
    const { outputDir } = await runTestFetch(wanted);
    const there = () => listFiles(outputDir).files.map((path) => relative(outputDir, path));
    server.change({ [harvard]: null });
    expect((await runTestFetch(wanted, { outputDir })).report).toMatchObject({ removed: [plain] });
    expect(there()).toEqual([zipped]);
    server.change({ [harvard]: 'ID,PM25\n' });
    expect((await runTestFetch(wanted, { outputDir })).report).toMatchObject({ removed: [zipped] });
    expect(there()).toEqual([plain]);
    server.change({ [harvard]: null, [epa]: null });
    expect((await runTestFetch(wanted, { outputDir })).report).toMatchObject({ removed: [] });
    expect(there()).toEqual([plain]);
  });

  it('is said to be gone, with everybody who keeps copies, where no mirror has it either', async () => {
    const server = await startOfficialServer({});
    const { report } = await runTestFetch({ sources: ['ejscreen'], year: 2023, mirror: server.url });
    const [file] = report.files;
    expect(file).toMatchObject({ why: expect.stringMatching(/EPA took EJScreen .* \(since 2025-02-05\)/s) });
    expect(file).toMatchObject({ why: expect.stringContaining('https://zenodo.org/records/14767363') });
  });
});

describe('a fetch that cannot begin', () => {
  it('is refused while another runs in the folder, and not after', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const outputDir = join(temporaryDirectory(), 'raw');
    const lock = takeFetchLock(storeLayout(outputDir));
    await expect(fetchCenpop(server.url, { outputDir })).rejects.toThrow(
      `${outputDir}: fetch (pid ${process.pid}) is already fetching here; try again when it has finished`,
    );
    lock.release();
    expect(outcomes(await fetchCenpop(server.url, { outputDir }))).toEqual(['new']);
  });

  it('is refused before any byte comes where the disk has too little room', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const fetching = fetchCenpop(server.url, { freeBytes: () => 1_000_000 });
    await expect(fetching).rejects.toThrow(/about 4\.8 MiB, but only 976\.6 KiB are free/);
    await expect(fetching).rejects.toBeInstanceOf(FetchSetupError);
    expect(server.requests).toEqual([]);
  });

  it('is so, too, where the file was fetched before and has been deleted since', async () => {
    const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
    const { outputDir } = await fetchCenpop(server.url);
    rmSync(join(outputDir, CENPOP_FILE));
    const asked = server.requests.length;
    const fetching = fetchCenpop(server.url, { outputDir, freeBytes: () => 1_000_000 });
    await expect(fetching).rejects.toBeInstanceOf(FetchSetupError);
    expect(server.requests.length).toBe(asked);
  });

  it.each([
    [{ sources: ['nothing'] }, 'nothing is not a source that can be fetched'],
    [{ sources: ['svi'], year: 2010 }, 'svi: there is no vintage up to 2010; the first is 2014'],
    [{ sources: ['acs-api'] }, 'acs-api needs CENSUS_API_KEY'],
  ])('is refused where it is asked for wrongly: %j', async (given, message) => {
    await expect(runTestFetch(given)).rejects.toThrow(message);
  });
});

it('brings ACS years by the Census API, for each state, in a form that compiles', async () => {
  const variables = [
    ...['B01003_001E', 'B01002_001E', 'B19013_001E', 'B17001_001E', 'B17001_002E', 'B23025_003E', 'B23025_005E'],
    ...['B27010_001E', 'B27010_017E', 'B27010_033E', 'B27010_050E', 'B27010_066E'],
  ];
  const values = ['4000', '38', '61000', '1000', '120', '1000', '40', '1000', '10', '10', '10', '10'];
  const api = acsApiText(
    ['NAME', ...variables],
    Object.fromEntries(DELAWARE.map(({ geoid }) => [geoid, [`${tractName(geoid)}; Kent County; Delaware`, ...values]])),
  );
  const server = await startOfficialServer({ 'api.census.gov/data/2024/acs/acs5': api, [GAZETTEER]: gazetteer() });
  const outputDir = join(temporaryDirectory(), 'raw');
  const wanted = { mirror: server.url, trendYears: [] };
  await runTestFetch({ ...wanted, sources: ['acs-api'] }, { outputDir });
  await runTestFetch({ ...wanted, sources: ['gazetteer'], year: 2023 }, { outputDir });
  expect(server.requests[0]?.path).toMatch(
    /^\/api\.census\.gov\/data\/2024\/acs\/acs5\?get=NAME,B01003_001E,.*in=state:10&in=county:\*$/,
  );
  const datasets = join(temporaryDirectory(), 'datasets');
  const outcome = await load({ inputDirs: [outputDir], outputDir: datasets, filter: { territories: false } });
  if (!outcome.published) throw outcome.error;
  const { tracts } = openDataset(generationPath(datasets, outcome.published.generation));
  expect(JSON.parse(tracts.records.text(0))).toMatchObject({ median_household_income: 61_000, uninsured_rate: 4 });
});
