import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATES } from '../../../src/core/states.js';
import { discoverLinks } from '../../../src/load/fetch/discover-links.js';
import { planFiles } from '../../../src/load/fetch/plan-files.js';
import { previewFetch } from '../../../src/load/fetch/preview.js';
import { selectDownloads } from '../../../src/load/fetch/select-downloads.js';
import { parseSourceCatalog, readSourceCatalog } from '../../../src/load/source-catalog.js';
import { packageFile } from '../../../src/platform/package-root.js';
import { selection } from '../../support/fetching.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const catalog = readSourceCatalog();
const downloads = Object.values(catalog).flatMap((entry) => entry.downloads ?? []);
const discovery = {
  counties: async () => ['10001', '10003'],
  links: async () => [],
  sequences: async () => ['0003', '0118'],
};

async function planned(given: Parameters<typeof selection>[0]) {
  const wanted = selection(given);
  return (await planFiles(selectDownloads(catalog, wanted).vintages, wanted, discovery)).files;
}
const paths = async (given: Parameters<typeof selection>[0]) =>
  (await planned(given)).map(({ candidates }) => candidates[0].path);

describe('the manifest', () => {
  it('calls every download by another name, and names no vintage twice', () => {
    expect(new Set(downloads.map(({ id }) => id)).size).toBe(downloads.length);
    for (const { id, vintages } of downloads) {
      expect(new Set(vintages.map(({ vintage }) => vintage)).size, id).toBe(vintages.length);
    }
  });

  it('is what README says of it: every download by its id', () => {
    const [row = ''] = readFileSync(packageFile('README.md'), 'utf8').match(/^\| `--sources .*$/m) ?? [];
    const named = [...row.slice(row.indexOf('Only these')).matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) =>
      text.split(' '),
    );
    expect(new Set(named.filter((name) => name !== 'CENSUS_API_KEY'))).toEqual(new Set(downloads.map(({ id }) => id)));
  });

  it('says where every vintage of every download is, over https, at addresses of their own', async () => {
    const files = [];
    for (const year of [2013, 2014, 2016, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025]) {
      const sources = downloads.filter(({ vintages }) =>
        vintages.some(({ vintage }) => vintage === 'latest' || Number(vintage) <= year),
      );
      files.push(...(await planned({ sources: sources.map(({ id }) => id), year, censusApiKey: 'key' })));
    }
    const urlOf = new Map<string, string>();
    for (const { download, candidates, tractVintage, vintage } of files) {
      for (const { url, path } of candidates) {
        expect(url).toMatch(/^https:\/\/[^{}]+$/);
        expect(path).toMatch(/^[\w./-]+$/);
        expect(urlOf.get(`${download} ${url}`) ?? path).toBe(path);
        urlOf.set(`${download} ${url}`, path);
      }
      expect(vintage === 'latest' || tractVintage === undefined || [2010, 2020].includes(tractVintage)).toBe(true);
    }
    expect(urlOf.size).toBeGreaterThan(100);
  });

  it('sends whoever misses a file of the Census Bureau’s to the page that has it', async () => {
    const files = await planned({ sources: ['gazetteer', 'zcta', 'zcta-tracts', 'tract-relationship'] });
    expect(files.map(({ download, pages: [page = ''] }) => [download, page.split('/').at(-1)])).toEqual([
      ['gazetteer', 'gazetteer-files.html'],
      ['tract-relationship', 'relationship-files.2020.html'],
      ['zcta', 'gazetteer-files.html'],
      ['zcta-tracts', 'relationship-files.2020.html'],
    ]);
  });

  it('has years up to 2019 of ACS, up to 2018 of SVI and up to 2023 of PLACES on 2010 tracts', () => {
    const older = (id: string): string[] =>
      downloads
        .filter((download) => download.id === id)
        .flatMap(({ vintages }) => vintages)
        .filter(({ tractVintage }) => tractVintage === 2010)
        .map(({ vintage }) => vintage);
    expect(older('acs')).toEqual(['2019']);
    expect(older('svi')).toEqual(['2014', '2016', '2018']);
    expect(older('places')).toEqual(['2020', '2021', '2022', '2023']);
  });

  it('asks for no ACS of the island areas, which have none, but for Puerto Rico’s', async () => {
    const states = ['44', '60', '66', '69', '72', '78'];
    const asked = await paths({ sources: ['acs-seq', 'acs-api'], states, year: 2019, censusApiKey: 'key' });
    const ofIslands = /5(as|gu|mp|vi)|_(60|66|69|78)\.json/;
    expect(asked.filter((path) => ofIslands.test(path))).toEqual([]);
    expect(asked.some((path) => /5pr\d/.test(path))).toBe(true);
    expect(asked.some((path) => path.endsWith('_72.json'))).toBe(true);
    expect(await paths({ sources: ['tiger'], states })).toHaveLength(states.length);
  });

  it('takes another vintage as an entry, without code', async () => {
    const text = JSON.stringify(catalog).replace(
      '"vintage":"2025","tractVintage":2020}',
      '"vintage":"2025","tractVintage":2020},{"vintage":"2031","tractVintage":2020}',
    );
    const wanted = selection({ sources: ['gazetteer'] });
    const { vintages } = selectDownloads(parseSourceCatalog(text, 'a test'), wanted);
    const { files } = await planFiles(vintages, wanted, discovery);
    expect(files[0]?.candidates[0].url).toMatch(/2031_Gazetteer\/2031_Gaz_tracts_national\.zip$/);
  });

  it.each([
    ['"id":"tiger","per":"state"', '"id":"tiger","per":"city"'],
    ['"take":"newest"}', '"take":"oldest"}'],
    ['https://www2.census.gov/geo/tiger/TIGER{year}/TRACT', 'http://www2.census.gov/geo/tiger/TIGER{year}/TRACT'],
  ])('is refused where it says what cannot be: %s as %s', (right, wrong) => {
    const text = JSON.stringify(catalog);
    expect(text).toContain(right);
    expect(() => parseSourceCatalog(text.replace(right, wrong), 'a test')).toThrow('a test: ');
  });
});

describe('a selection', () => {
  it('takes files by state and county of the states wanted, and of each product its newest vintage up to the year', async () => {
    const files = await paths({ states: ['10', '11'], year: 2023, sources: ['tiger', 'addrfeat', 'svi', 'places'] });
    expect(files).toEqual([
      'tiger/2023/tl_2023_10_tract.zip',
      'tiger/2023/tl_2023_11_tract.zip',
      'addrfeat/2023/tl_2023_10001_addrfeat.zip',
      'addrfeat/2023/tl_2023_10003_addrfeat.zip',
      'svi/2022/SVI_2022_US.csv',
      'places/2023/PLACES__Census_Tract_Data__GIS_Friendly_Format___2023_release.csv',
    ]);
  });

  it('takes all ACS years unless told which, six tables each', async () => {
    const years = async (trendYears?: number[]) =>
      new Set((await paths({ sources: ['acs'], year: 2023, trendYears })).map((path) => path.split('/')[1]));
    expect(await years()).toEqual(new Set(Array.from({ length: 11 }, (_, at) => String(2013 + at))));
    expect(await years([2016, 2019])).toEqual(new Set(['2016', '2019', '2023']));
    expect(await years([])).toEqual(new Set(['2023']));
    expect((await paths({ sources: ['acs'], trendYears: [] })).length).toBe(6);
  });

  it('says which years wanted for trends nobody has', () => {
    const notes = (...trendYears: number[]) =>
      selectDownloads(catalog, selection({ sources: ['acs'], trendYears })).notes;
    expect(notes(2019, 2021)).toEqual([]);
    expect(notes(2010, 2019)).toEqual([expect.stringContaining('there is no vintage of 2010 to show trends from')]);
    expect(selectDownloads(catalog, selection({ sources: ['svi'], trendYears: [2010] })).notes).toEqual([]);
  });

  it('takes the newest ACS year up to the one wanted from whichever layout has it, with what it is read by', async () => {
    const wanted = { sources: ['acs'], year: 2016, trendYears: [], states: ['10', '11'] };
    expect(await paths(wanted)).toEqual([
      'acs-seq/2016/ACS_5yr_Seq_Table_Number_Lookup.txt',
      'acs-seq/2016/g20165de.csv',
      'acs-seq/2016/g20165dc.csv',
      'acs-seq/2016/20165de0003000.zip',
      'acs-seq/2016/20165dc0003000.zip',
      'acs-seq/2016/20165de0118000.zip',
      'acs-seq/2016/20165dc0118000.zip',
    ]);
    const urls = (await planned(wanted)).map(({ candidates }) => candidates[0].url);
    expect(urls.at(-1)).toMatch(
      /\/2016\/data\/5_year_seq_by_state\/DistrictOfColumbia\/Tracts_Block_Groups_Only\/20165dc0118000\.zip$/,
    );
    expect(() => selectDownloads(catalog, selection({ sources: ['acs'], year: 2012 }))).toThrow(
      'no vintage up to 2012',
    );
  });

  it('takes optional downloads where they are named, and only then', async () => {
    expect((await planned({})).map(({ download }) => download)).not.toContain('places-long');
    expect((await planned({ sources: ['places'] })).length).toBe(1);
    expect((await planned({ sources: ['places-long'] })).length).toBe(1);
  });

  it('adds the Census API’s key to what is asked for, and to nothing that is shown, recorded or sent to a mirror', async () => {
    const [file] = await planned({ sources: ['acs-api'], trendYears: [], censusApiKey: 'secret1' });
    expect(file?.candidates[0].requestUrl).toMatch(/&key=secret1$/);
    expect(JSON.stringify({ ...file, candidates: [{ ...file?.candidates[0], requestUrl: '' }] })).not.toContain(
      'secret1',
    );
    expect(file?.candidates[0].url).not.toContain('key');
    const [mirrored] = await planned({
      sources: ['acs-api'],
      censusApiKey: 'secret1',
      mirror: 'http://mirror.test/x/',
    });
    expect(mirrored?.candidates[0].requestUrl).toMatch(/^http:\/\/mirror\.test\/x\/api\.census\.gov\/data\/2024\//);
    expect(JSON.stringify(mirrored)).not.toContain('secret1');
  });

  it('shows and records the address on a mirror that is asked, without its password', async () => {
    const [file] = await planned({ sources: ['cenpop'], mirror: 'http://me:secret1@mirror.test/x' });
    expect(file?.candidates[0].url).toMatch(/^http:\/\/mirror\.test\/x\/www2\.census\.gov\/geo\//);
  });

  it('asks the archives first for what the agency took down, and the agency first for everything else', async () => {
    const [gone] = await planned({ sources: ['ejscreen'], year: 2023 });
    expect(gone?.candidates.map(({ url }) => new URL(url).host)).toEqual(['web.archive.org', 'gaftp.epa.gov']);
    const [there] = await planned({ sources: ['svi'] });
    expect(there?.candidates.map(({ url }) => new URL(url).host)).toEqual(['svi.cdc.gov', 'web.archive.org']);
  });
});

describe('a preview', () => {
  it('lists addresses and sizes of everything, and what only an index knows, and asks for nothing', async () => {
    const states = STATES.filter(({ territory }) => !territory).map(({ fips }) => fips);
    const outputDir = temporaryDirectory();
    const lines = await previewFetch({ outputDir, catalog, selection: selection({ states, year: 2023 }) });
    const counties = lines.filter((line) => line.includes('_addrfeat.zip'));
    expect(counties.length).toBe(3144);
    expect(lines.find((line) => line.includes('tl_2023_56_tract'))).toMatch(
      /^about 13\.4 MiB +tiger\/2023\/tl_2023_56_tract\.zip +https:\/\/www2\.census\.gov\/geo\/tiger\/TIGER2023\/TRACT\//,
    );
    expect(lines.join('\n')).toMatch(/nppes: https:\/\/download\.cms\.gov\/nppes\/NPI_Files\.html: this page lists/);
    expect(lines.find((line) => /^\d+ files, about/.test(line))).toMatch(/GiB, and besides:$/);
  });

  it('says how large the files are whose names only an index knows: the largest of all is one of them', async () => {
    const wanted = selection({ sources: ['nppes'] });
    const lines = await previewFetch({ outputDir: temporaryDirectory(), catalog, selection: wanted });
    expect(lines.at(-1)).toMatch(/^nppes-weekly: .* \(several files, about 14\.3 MiB each\)$/);
    expect(lines.at(-2)).toMatch(/^nppes: .* \(one file, about 1\.0 GiB\)$/);
  });

  it('adds nothing to the sum of files that are all known', async () => {
    const lines = await previewFetch({
      outputDir: temporaryDirectory(),
      catalog,
      selection: selection({ sources: ['cenpop'] }),
    });
    expect(lines.at(-1)).toBe('1 file, about 4.8 MiB');
  });
});

describe('a preview of sequences', () => {
  it('names the tables that they hold, until the lookup of the year is there', async () => {
    const wanted = selection({ sources: ['acs-seq'], trendYears: [] });
    const lines = await previewFetch({ outputDir: temporaryDirectory(), catalog, selection: wanted });
    expect(lines.join('\n')).toMatch(/acs-seq\/2018\/20185de\{b27010\}000\.zip +https:/);
    expect(lines.at(-1)).toMatch(/^A table in braces stands for the sequence/);
    expect(lines.join('\n')).toContain('Lookup.txt, or https://www2.census.gov/');
  });
});

describe('an index', () => {
  const index = {
    url: 'https://agency.test/files/index.html',
    link: String.raw`(?:\./)?data_(?<month>[A-Za-z]+)_(?<year>\d{4})\.zip`,
    take: 'newest',
  } as const;

  it('gives the newest by date, not by name or place', () => {
    const text = 'data_September_2025.zip ./data_December_2024.zip data_August_2025.zip';
    expect(discoverLinks(text, index)).toMatchObject([{ file: 'data_September_2025.zip', day: 20_250_900 }]);
    expect(discoverLinks(text, { ...index, take: 'all' }).map(({ url }) => url)).toEqual([
      'https://agency.test/files/data_December_2024.zip',
      'https://agency.test/files/data_August_2025.zip',
      'https://agency.test/files/data_September_2025.zip',
    ]);
  });

  it('takes no long time to read, whatever it contains', () => {
    const indexes = Object.values(catalog).flatMap(({ downloads = [] }) =>
      downloads.flatMap((download) => download.index ?? []),
    );
    const beginnings = ['https://data.cms.gov/sites/default/files/', './NPPES_Data_Dissemination_', 'Aa', '1'];
    expect(indexes.length).toBeGreaterThan(2);
    for (const own of indexes) {
      for (const beginning of beginnings) {
        const startedAtMs = performance.now();
        expect(discoverLinks(beginning.repeat(500_000 / beginning.length), own)).toEqual([]);
        // What took the square of its length would take far longer.
        expect(performance.now() - startedAtMs).toBeLessThan(10_000);
      }
    }
  });

  it('gives no file whose name leads elsewhere', () => {
    const link = String.raw`[^"]*(?<year>\d{4})[^"]*`;
    expect(discoverLinks('"/a/%2e%2e%2f2025"', { ...index, link })).toEqual([]);
    expect(discoverLinks('"/a/.2025"', { ...index, link })).toEqual([]);
  });
});
