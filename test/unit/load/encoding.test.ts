import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGeography } from '../../../src/load/sources/acs/sequence/geography.js';
import { DE_NAME, GEO, quoted } from '../../support/acs-csv.js';
import { countyShapefile } from '../../support/county-files.js';
import { fakeFile } from '../../support/input-file.js';
import { findAddress, loadWithAddresses } from '../../support/loaded-addresses.js';
import { accountOf, load } from '../../support/loading.js';
import { gazetteerText, sviText, writeTree } from '../../support/official-files.js';
import { hrsaSite, hrsaText } from '../../support/provider-files.js';
import { DELAWARE } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NOTE = 'line not in UTF-8, read as Windows-1252';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

test('the account of a product counts the lines that are not UTF-8', async () => {
  const [one = '', two = ''] = DELAWARE.map(({ geoid }) => geoid);
  const ranks = [0.1, 0.2, 0.3, 0.4, 0.5];
  const acs = quoted(['GEO_ID', 'NAME', 'B01003_001E'], [`${GEO}${one}`, DE_NAME.replace('Kent', 'Kéñt'), '4000']);
  const root = temporaryDirectory();
  const input = writeTree(join(root, 'in'), {
    '2023_Gaz_tracts_10.txt': gazetteerText(DELAWARE),
    'SVI_2022_US.csv': latin1(sviText({ [one]: ranks, [two]: ranks }).replace('Some County', 'Some Coúnty')),
    // Without its byte order mark, as a spreadsheet saves it.
    'ACSDT5Y2022.B01003-Data.csv': latin1(acs.slice(1)),
    'Health_Center_Service_Delivery_and_LookAlike_Sites.csv': latin1(
      hrsaText(hrsaSite({ 'Site Name': 'Clínica' }), hrsaSite({ 'Site Name': 'Clinic' })),
    ),
  });
  const outcome = await load({ inputDirs: [input], outputDir: join(root, 'out'), filter: { territories: false } });
  const products = outcome.published?.report.products ?? [];
  expect(products.filter(({ notes }) => notes[NOTE] === 1).map(({ source }) => source)).toEqual(
    expect.arrayContaining(['acs', 'hrsa', 'svi']),
  );
  expect(accountOf(outcome, 'ACS 5-year 2018–2022 B01003')).toMatchObject({ read: 1, kept: 1 });
});

test('a geography file of the sequences, in Latin-1, has its counties’ names', async () => {
  const cells: string[] = Array.from({ length: 50 }, () => '');
  cells.splice(0, 5, 'ACSSF', 'NM', '140', '00', '0000123');
  cells.splice(48, 2, '14000US35013000101', '"Census Tract 1.01, Doña Ana County, New Mexico"');
  const records = await readGeography(fakeFile('raw/g20135nm.csv', latin1(`${cells.join(',')}\n`)), 'nm');
  expect(records.get('0000123')?.name).toBe('Census Tract 1.01, Doña Ana County, New Mexico');
});

test('a street in an address table in Latin-1, as up to 2014, is found by its name, and its rows are counted', async () => {
  const cells = { ZIPL: '19901', LFROMHN: '101', LTOHN: '199' };
  const line = [
    [-75.6, 39.02],
    [-75.6, 39.04],
  ] as const;
  const county = countyShapefile('addr/tl_2014_10001_addrfeat', [
    { cells: { ...cells, TLID: 1, FULLNAME: 'Pe@asco Rd' }, line },
    { cells: { ...cells, TLID: 2, FULLNAME: 'Plain St' }, line },
  ]);
  const table = county['addr/tl_2014_10001_addrfeat.dbf'] as Buffer;
  table[table.indexOf('@')] = 0xf1;
  const loaded = await loadWithAddresses(county);
  expect(await findAddress(loaded.dataset(), '151 Penasco Rd, DE 19901')).toEqual([
    expect.any(String),
    '151 Peñasco Rd, DE 19901',
  ]);
  expect(accountOf(loaded, 'TIGER/Line ADDRFEAT 2014')).toMatchObject({ kept: 2, notes: { [NOTE]: 1 } });
});
