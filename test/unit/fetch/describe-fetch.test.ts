import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeReport } from '../../../src/load/fetch/describe-fetch.js';
import { createFetchProgress } from '../../../src/load/fetch/fetch-progress.js';
import type { PlannedFile } from '../../../src/load/fetch/plan.js';
import { previewFetch } from '../../../src/load/fetch/preview.js';
import { createProgress } from '../../../src/load/progress.js';
import { readSourceCatalog } from '../../../src/load/source-catalog.js';
import { acsSequenceTree } from '../../support/acs-sequences.js';
import { runTestFetch, selection } from '../../support/fetching.js';
import { startOfficialServer } from '../../support/official-server.js';
import {
  CENPOP,
  CENPOP_FILE,
  CENPOP_TEXT,
  fetchCenpop,
  GAZETTEER,
  GAZETTEER_FILE,
  gazetteer,
} from '../../support/small-downloads.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('a report counts what came, names what is a copy, and says of what did not come why', async () => {
  const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
  const { report } = await runTestFetch({ sources: ['cenpop', 'svi'], year: 2022, mirror: server.url });
  const lines = describeReport(report);
  expect(lines.find((line) => line.startsWith('cenpop 2020'))).toMatch(/^cenpop 2020 +1 +1 +0 +0 +0 +81\.0 KiB$/);
  expect(lines.find((line) => line.startsWith('svi'))).toMatch(/^svi +1 +0 +0 +0 +1 +0 bytes$/);
  expect(lines).toContain(
    `Downloaded from your mirror at ${new URL(server.url).host} instead of the agency: ${CENPOP_FILE}`,
  );
  const address = `${server.url}/svi.cdc.gov/`;
  expect(lines.at(-1)?.startsWith(`Not fetched: svi/2022/SVI_2022_US.csv\n  ${address}`)).toBe(true);
  expect(lines.at(-1)).toContain('not found');
});

test('a report names the downloads whose list of files could not be read, and where else to look', async () => {
  const server = await startOfficialServer({});
  const { report } = await runTestFetch({ sources: ['nppes', 'nppes-weekly'], mirror: server.url });
  const page = `${server.url}/download.cms.gov/nppes/NPI_Files.html`;
  expect(describeReport(report).slice(-2)).toEqual(
    ['nppes', 'nppes-weekly'].map((id) =>
      expect.stringMatching(new RegExp(`^Not fetched: ${id}: ${page}\n {2}not found \\(404\\)\n {2}See https://`)),
    ),
  );
});

test('a preview and a failed index name the mirror that is asked instead of the agency', async () => {
  const mirror = 'http://mirror.test/x/';
  const wanted = selection({ sources: ['cenpop', 'nppes'], mirror });
  const lines = await previewFetch({
    outputDir: temporaryDirectory(),
    catalog: readSourceCatalog(),
    selection: wanted,
  });
  expect(lines.find((line) => line.includes(CENPOP_FILE))).toContain(` ${mirror}${CENPOP}`);
  expect(lines).toContainEqual(expect.stringMatching(/^nppes: http:\/\/mirror\.test\/x\/download\.cms\.gov\//));
});

test('a preview shows of what is there its size and since when', async () => {
  const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
  const { outputDir } = await fetchCenpop(server.url);
  const wanted = { outputDir, catalog: readSourceCatalog(), selection: selection({ sources: ['cenpop'] }) };
  const lines = await previewFetch(wanted);
  expect(lines).toContainEqual(expect.stringMatching(/^81\.0 KiB, fetched 2026-01-02 +cenpop\/2020\//));
});

test.each([
  ['deleted', (path: string) => rmSync(path)],
  ['damaged', (path: string) => writeFileSync(path, 'x')],
])('a preview goes without a list of files that was %s since it was fetched', async (_, spoil) => {
  const sources = ['addrfeat', 'acs-seq'];
  const tracts = [{ geoid: '10001040100', west: -75.7, south: 39 }];
  const tree = acsSequenceTree('Delaware', { year: 2018, state: 'de', tracts, estimate: () => 100 });
  const server = await startOfficialServer({ ...tree, [GAZETTEER]: gazetteer() });
  const { outputDir, report } = await runTestFetch({ sources, year: 2023, trendYears: [2018], mirror: server.url });
  const lists = report.files.filter(({ path }) => path === GAZETTEER_FILE || path.includes('Lookup'));
  expect(lists.map(({ outcome }) => outcome)).toEqual(['new', 'new']);
  const preview = (): Promise<string[]> =>
    previewFetch({
      outputDir,
      catalog: readSourceCatalog(),
      selection: selection({ sources, year: 2023, trendYears: [2018] }),
    });
  expect((await preview()).join('\n')).not.toContain('{b27010}');
  for (const { path } of lists) spoil(join(outputDir, path));
  const lines = await preview();
  expect(lines.filter((line) => line.includes('_addrfeat.zip')).length).toBe(3);
  expect(lines.join('\n')).toContain('{b27010}');
});

test('a preview takes what was deleted since it was fetched for what is to come', async () => {
  const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
  const { outputDir } = await fetchCenpop(server.url);
  rmSync(join(outputDir, CENPOP_FILE));
  const wanted = { outputDir, catalog: readSourceCatalog(), selection: selection({ sources: ['cenpop'] }) };
  expect(await previewFetch(wanted)).toContainEqual(expect.stringMatching(/^about .* cenpop\/2020\//));
});

/** A planned file with this path. */
function plannedFile(path: string, sizeBytes: number): PlannedFile {
  const candidate = { url: '', requestUrl: '', path, mirror: undefined, allowedHosts: new Set<string>() };
  const rest = { download: '', vintage: '', tractVintage: undefined, sha256: {}, releaseYear: undefined, pages: [] };
  return { ...rest, candidates: [candidate], sizeBytes, takenDown: undefined };
}

test('on a terminal one bar shows the files and bytes of all, and is full when the last is done, not before', async () => {
  let written = '';
  const terminal = { isTTY: true, write: (text: string) => (written += text) };
  let nowMs = 0;
  const bars = createFetchProgress(createProgress(terminal), () => (nowMs += 1000));
  const server = await startOfficialServer({ [CENPOP]: CENPOP_TEXT });
  const { report } = await fetchCenpop(server.url);
  const [path = ''] = report.files.map((file) => file.path);
  const planned = [plannedFile(path, 100), plannedFile('other', 300)];
  bars.plan(planned);
  bars.bytes(path, 50, 100);
  expect(written).toMatch(/ 13% fetching, 0 of 2 files$/);
  bars.bytes(path, 9999, undefined);
  expect(written).not.toContain('\n');
  for (const one of planned) bars.done(one, one.candidates[0].path);
  expect(written).toMatch(/100% fetching, 2 of 2 files\n$/);
});

test.each([true, false])(
  'files that failed are not said to be done, nor is a bar full (on a terminal: %s)',
  (isTTY) => {
    let written = '';
    const bars = createFetchProgress(createProgress({ isTTY, write: (text) => (written += text) }), () => 0);
    const planned = [plannedFile('one', 100), plannedFile('other', 300)];
    bars.plan(planned);
    bars.done(plannedFile('one', 100), 'one');
    bars.done(plannedFile('other', 300), undefined);
    expect(written).toBe('fetching ended with 1 of 2 files\n');
  },
);
