import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { discoverFiles } from '../../../src/load/files/discover.js';
import { InputError } from '../../../src/load/input.js';
import { recognizeFiles } from '../../../src/load/recognize/recognize.js';
import { filesByProduct, filesThatCount } from '../../../src/load/recognize/recognized-input.js';
import { describeSuspect } from '../../../src/load/recognize/suspect-file.js';
import { fakeFile } from '../../support/input-file.js';
import { npiAt, physician, registryText } from '../../support/nppes.js';
import {
  acsDatText,
  cenpopText,
  crosswalkText,
  ejscreenText,
  gazetteerText,
  relationshipText,
  sviText,
  tractShapefile,
  writeTree,
} from '../../support/official-files.js';
import { extractText, hrsaSite, hrsaText, rhcText, zctaGazetteerText } from '../../support/provider-files.js';
import { DELAWARE } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { zipArchive } from '../../support/zip-writer.js';

async function recognize(files: Readonly<Record<string, string | Buffer>>) {
  const input = await recognizeFiles({
    shapefiles: [],
    others: Object.entries(files).map(([path, content]) => fakeFile(path, content)),
    skipped: [],
  });
  return { ...input, suspect: input.suspect.map(describeSuspect) };
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const CENPOP = cenpopText({ '10001040100': 4000 });
const SVI = sviText({ '10001040100': [0.1, 0.2, 0.3, 0.4, 0.5] });
const THEMES = [1, 2, 3, 4].map((theme) => `RPL_THEME${theme}`).join(', ');
const OF_SVI = 'RPL_THEME1, RPL_THEMES, ST_ABBR, RPL_THEME2, RPL_THEME3, RPL_THEME4';
const GAZETTEER = gazetteerText(DELAWARE);
const ACS = acsDatText(['B19013_E001'], { '10001040100': [50_000] });
const withNul = (text: string): string => `${text.slice(0, 90)}\u0000${text.slice(90)}`;

describe('a damaged file under an official name ends the compile by name, product and fault', () => {
  it.each([
    'CenPop2020_Mean_TR.txt',
    '2023_Gaz_tracts_national.txt',
    'ACSDT5Y2022.B19013-Data.csv',
    'acsdt5y2022-b19013.dat',
    'SVI_2022_US.csv',
    'PLACES__Local_Data_for_Better_Health__Census_Tract_Data_2024_release.csv',
    'PLACES__Census_Tract_Data__GIS_Friendly_Format___2024_release.csv',
    'EJSCREEN_2023_Tracts_StatePct.csv',
    'ct_2022tractcrosswalk.csv',
    'tab20_tract20_tract10_natl.txt',
  ])('of no bytes: %s', async (name) => {
    const read = recognize({ [`in/${name}`]: '' });
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow(/^in\/\S+ \(.+\): cannot be read: it is empty$/);
  });

  it.each([
    ['in UTF-16', utf16(CENPOP.slice(1)), 'it is in UTF-16; save it in UTF-8'],
    ['in UTF-16 of the other byte order', utf16(CENPOP.slice(1)).swap16(), 'it is in UTF-16; save it in UTF-8'],
    ['in UTF-16 without a mark', utf16(CENPOP.slice(1)).subarray(2), 'it is in UTF-16; save it in UTF-8'],
    [
      'in UTF-16 of the other byte order without a mark',
      utf16(CENPOP.slice(1)).swap16().subarray(2),
      'it is in UTF-16; save it in UTF-8',
    ],
    [
      'with NUL bytes at its end, as of a download that reserved its space',
      `${CENPOP}${'\u0000'.repeat(CENPOP.length * 30)}`,
      'it contains a NUL byte',
    ],
    [
      'with NUL bytes in a part of it alone',
      Buffer.concat([Buffer.from(CENPOP), utf16(CENPOP.slice(1)).subarray(2)]),
      'it contains a NUL byte',
    ],
    ['with a NUL byte', withNul(CENPOP), 'it contains a NUL byte'],
  ])('%s', async (_, content, fault) => {
    await expect(recognize({ 'in/CenPop2020_Mean_TR.txt': content })).rejects.toThrow(
      `in/CenPop2020_Mean_TR.txt (2020 Census (centers of population)): cannot be read: ${fault}`,
    );
  });

  it.each([
    ['compressed with gzip', gzipSync(SVI), 'it is compressed with gzip; decompress it, or add .gz to its name'],
    ['a zip archive', zipArchive({ 'a.csv': SVI }), 'it is a zip archive; unpack it, or add .zip to its name'],
    ['a web page', '\n<!DOCTYPE html><html>', 'it is a web page; download it again'],
  ])('%s', async (_, content, fault) => {
    await expect(recognize({ 'in/SVI_2022_US.csv': content })).rejects.toThrow(
      `in/SVI_2022_US.csv (CDC/ATSDR SVI 2022): cannot be read: ${fault}`,
    );
    const registry = 'in/npidata_pfile_20050523-20240107.csv';
    await expect(recognize({ [registry]: content })).rejects.toThrow(fault);
  });

  it('and so does one under any name whose header is known', async () => {
    const svi = sviText({ '10001040100': [0.1, 0.2, 0.3, 0.4, 0.5] });
    for (const content of [withNul(svi), utf16(svi)]) {
      await expect(recognize({ 'in/vulnerability 2022.csv': content })).rejects.toThrow(
        /^in\/vulnerability 2022\.csv \(CDC\/ATSDR SVI 2022\): cannot be read/,
      );
    }
  });
});

describe('files that no source knows', () => {
  it('are ignored whatever is in them', async () => {
    const files = { 'a.bin': Buffer.from([0, 1, 2, 0]), 'b.csv': utf16('a,b\n1,2\n'), 'c.txt': 'c', 'd.xml': '<d/>' };
    const input = await recognize(files);
    expect([input.ignored, input.texts, input.refused]).toEqual([Object.keys(files), [], []]);
  });

  it('are ignored with a word where their name is a table’s and they are none', async () => {
    const page = '\uFEFF\n<!-- sorry --><html>';
    const { ignored, suspect } = await recognize({ 'Delaware.csv': '', 'Ohio.csv': page, 'Utah.csv': 'a,b\n1,2\n' });
    expect(ignored).toEqual(['Delaware.csv: it is empty', 'Ohio.csv: it is a web page; download it again', 'Utah.csv']);
    expect(suspect).toEqual(ignored.slice(0, 2));
  });

  it('are so where they are archives whose names have lost the extension, or have another one behind it', async () => {
    const zip = zipArchive({ 'tl_2020_10_tract.shp': Buffer.alloc(100) });
    const archives = { tl_2020_10_tract: zip, 'svi.zip (1)': zip, 'svi/us.zip.1': zip, 'us.csv.gz.bak': gzipSync('a') };
    const { ignored, suspect } = await recognize({ ...archives, 'notes.docx': zip, LICENSE: 'Free\n' });
    const unzip = 'it is a zip archive; unpack it, or add .zip to its name';
    expect(suspect).toEqual([
      ...Object.keys(archives)
        .slice(0, 3)
        .map((name) => `${name}: ${unzip}`),
      'us.csv.gz.bak: it is compressed with gzip; decompress it, or add .gz to its name',
    ]);
    expect(ignored).toEqual([...suspect, 'notes.docx', 'LICENSE']);
  });

  it('that are packed twice are reported, with the advice to unpack them', async () => {
    const inner = zipArchive({ 'SVI_2022_US.csv': SVI });
    await expect(recognize({ 'outer.zip': zipArchive({ 'inner.zip': inner }) })).rejects.toThrow(
      'cannot be read: it is a zip archive inside another; unpack it',
    );
    const { suspect } = await recognize({
      'outer.zip!Delaware.csv.gz': gzipSync(SVI),
      'outer.zip!tl_2020_10_tract.zip': zipArchive({ 'tl_2020_10_tract.shp': Buffer.alloc(100) }),
    });
    expect(suspect).toEqual([
      'outer.zip!Delaware.csv.gz: it is compressed with gzip inside another archive; unpack it',
      'outer.zip!tl_2020_10_tract.zip: it is a zip archive inside another; unpack it',
    ]);
  });

  it('that are gzipped twice are reported so, as .gz is at the end of their names already', async () => {
    const root = writeTree(temporaryDirectory(), { 'Delaware.csv.gz': gzipSync(gzipSync(SVI)) });
    const { suspect } = await recognizeFiles(await discoverFiles([root]));
    expect(suspect.map(({ fault }) => fault)).toEqual(['it is compressed with gzip inside another archive; unpack it']);
  });

  it.each(['svi.tar.gz', 'svi.tgz', 'svi.7z', 'a.zip!svi.rar'])('that are other archives are: %s', async (name) => {
    const { suspect } = await recognize({ [name]: Buffer.from([0x37, 0x7a, 0, 1]) });
    expect(suspect).toEqual([`${name}: it is an archive of a kind that is not read; unpack it`]);
  });

  it('are refused as such where they begin like a source’s file, as a tar archive of one does', async () => {
    const header = Buffer.alloc(512);
    header.write('Delaware.csv');
    await expect(recognize({ 'svi.tar': Buffer.concat([header, Buffer.from(SVI)]) })).rejects.toThrow(
      'svi.tar (CDC/ATSDR SVI): cannot be read: it is an archive of a kind that is not read; unpack it',
    );
  });

  it('are so where they are spreadsheets, by their names or by what they hold', async () => {
    const workbook = zipArchive({ '[Content_Types].xml': '<x/>', 'xl/workbook.xml': '<x/>' });
    const old = Buffer.from('d0cf11e0a1b11ae1000000', 'hex');
    const files = {
      'svi/2022/Delaware.xlsx': zipArchive({ 'xl/workbook.xml': '<x/>' }),
      'Ohio.csv': workbook,
      'Iowa.xls': old,
      'Utah.csv': old,
    };
    const apart = { 'letter.docx': workbook, 'tables.zip!columns.xlsx': workbook };
    const { ignored, suspect } = await recognize({ ...files, ...apart });
    const told = Object.keys(files).map((name) => `${name}: it is a spreadsheet; save it as CSV`);
    expect(suspect).toEqual(told);
    expect(ignored).toEqual([...told, ...Object.keys(apart)]);
    await expect(recognize({ 'SVI_2022_US.csv': workbook })).rejects.toThrow(
      'cannot be read: it is a spreadsheet; save it as CSV',
    );
  });

  it('are so where they are named as JSON and are none', async () => {
    const files = {
      'a.json': "error: unknown variable 'B1'\n",
      'b.json': '<html>',
      'c.json': '',
      'd.json': '{"a": 1}',
      'e.json': '[]\n',
      'f.json': '{}',
    };
    const { suspect } = await recognize(files);
    expect(suspect).toEqual([
      "a.json: it is not JSON: error: unknown variable 'B1'",
      'b.json: it is a web page; download it again',
      'c.json: it is empty',
      'e.json: it is JSON without any data',
      'f.json: it is JSON without any data',
    ]);
  });

  it('are so where a service answered in JSON, and its beginning is shown', async () => {
    const files = { 'a.csv': '{"error":"not found"}\n', 'b.txt': '\uFEFF[ {"a": 1} ]', 'c.txt': '[draft] notes\n' };
    const { suspect } = await recognize(files);
    expect(suspect).toEqual([
      'a.csv: it is JSON from a web service, not a table: {"error":"not found"}',
      'b.txt: it is JSON from a web service, not a table: [ {"a": 1} ]',
    ]);
  });

  it('are so where they are named as browsers do before a download is complete, whatever is in them', async () => {
    const files = {
      'SVI_2022_US.csv.crdownload': SVI,
      '2023_Gaz_tracts_national.txt.part': GAZETTEER,
      'tl_2020_10_tract.zip.partial': Buffer.from('PK\u0003\u0004'),
      'Unconfirmed 1234.crdownload': SVI,
      'a.zip!Delaware.csv.download': SVI,
      'SVI_2022_US.csv.opdownload': SVI,
      '2023_GAZ_TRACTS_NATIONAL.TXT.PART': GAZETTEER,
      'svi/SVI_2022_US.csv.download/SVI_2022_US.csv': SVI,
      'SVI_2022_US.csv.download/SVI_2022_US.csv': SVI,
    };
    const { suspect, texts } = await recognize(files);
    const fault = 'it is an unfinished download; finish it, or delete it';
    expect([suspect, texts]).toEqual([Object.keys(files).map((name) => `${name}: ${fault}`), []]);
    // A folder of that name that is not the file's.
    expect((await recognize({ 'cdc.download/SVI_2022_US.csv': SVI })).texts).toHaveLength(1);
  });

  it('are so where they are sentences or a word under the name of a table', async () => {
    const files = {
      'Delaware.csv': 'Request Rejected. Your support ID is: 42\n',
      'Ohio.csv': 'version https://git-lfs.github.com/spec/v1\noid sha256:12ab\nsize 1234567\n',
      'Utah.csv.gz': 'Too many requests; try again in an hour.\n',
      'Wyoming.csv': 'Forbidden\n',
    };
    const lists = {
      'geoids.csv': 'GEOID\n10001040100\n',
      'notes.txt': 'A note.\n',
      'names.csv': 'a name,id\nx,1\n',
      'visits.csv': 'Home city;Visits\nSampleton;3\n',
      'ids.csv': 'a name\nx,1\n',
    };
    const { suspect } = await recognize({ ...files, ...lists });
    expect(suspect).toEqual([
      'Delaware.csv: it is a text without columns, not a table: Request Rejected. Your support ID is: 42',
      'Ohio.csv: it is a text without columns, not a table: version https://git-lfs.github.com/spec/v1',
      'Utah.csv.gz: it is a text without columns, not a table: Too many requests; try again in an hour.',
      'Wyoming.csv: it is a text without columns, not a table: Forbidden',
    ]);
  });

  it('are so where they are maps in other formats than shapefiles', async () => {
    const collection = '{"type": "FeatureCollection", "features": []}';
    const maps = {
      'tracts.geojson': collection,
      'tracts.json': `{"crs": {"type": "name"},\n${collection.slice(1)}`,
      'tracts.topojson': '{"type":"Topology"}',
      'counties.json': '{"type":"Topology"}',
      'tracts.kml.gz': '<?xml version="1.0"?><kml/>',
      'cb_2020_10_tract_500k.zip!cb_2020_10_tract_500k.kml': '<?xml version="1.0"?><kml/>',
      'tracts.gpkg': Buffer.from('SQLite format 3\u0000'),
    };
    const { ignored, suspect } = await recognize({ ...maps, 'manifest.json': '{"type": "manifest"}' });
    const fault = 'it is a map in a format that is not read; outlines are read from shapefiles';
    expect(suspect).toEqual(Object.keys(maps).map((name) => `${name}: ${fault}`));
    expect(ignored).toEqual([...suspect, 'manifest.json']);
  });

  it('are so where a title is above the header', async () => {
    const { suspect, texts } = await recognize({
      '2022/Delaware.csv': `Social Vulnerability, 2022\n${SVI}`,
      'tracts 2023.txt': `Gazetteer\r\n\r\n${GAZETTEER}`,
      'svi/2022/Ohio.csv': `Source:,CDC,SVI,2022,,\r\n${SVI}`,
      'svi/2022/Utah.csv': `sep=;\r\n${SVI.replaceAll(',', ';')}`,
      'svi/2022/Iowa.csv': `${'x\n'.repeat(20)}${SVI}`,
      'far.csv': `${'x\n'.repeat(21)}${SVI}`,
      // As many cells as the header below are a header; one fewer are not.
      'wide.csv': `${SVI.slice(0, SVI.indexOf('\n')).replace(/\w+/g, 'x')}\n${SVI}`,
      'svi/2022/Maine.csv': `${SVI.slice(SVI.indexOf(',') + 1, SVI.indexOf('\n')).replace(/\w+/g, 'x')}\n${SVI}`,
    });
    expect(suspect).toEqual([
      '2022/Delaware.csv: looks like CDC/ATSDR SVI 2022, but its header is in line 2; remove the lines above it',
      'tracts 2023.txt: looks like Census 2023 Gazetteer (tracts), but its header is in line 3; remove the lines above it',
      'svi/2022/Ohio.csv: looks like CDC/ATSDR SVI 2022, but its header is in line 2; remove the lines above it',
      'svi/2022/Utah.csv: looks like CDC/ATSDR SVI 2022, but its header is in line 2, and its cells are separated by semicolons; save it with commas',
      'svi/2022/Iowa.csv: looks like CDC/ATSDR SVI 2022, but its header is in line 21; remove the lines above it',
      'svi/2022/Maine.csv: looks like CDC/ATSDR SVI 2022, but its header is in line 2; remove the lines above it',
    ]);
    expect(texts).toEqual([]);
  });

  it('are so, too, where they are packed, or separated by semicolons', async () => {
    const packed = { 'Delaware.csv': gzipSync(SVI), 'Ohio.csv': zipArchive({ 'Ohio.csv': SVI }, 'deflated') };
    const cells = Papa.parse<string[]>(SVI.trimEnd()).data;
    const spreadsheet = Papa.unparse(cells, { delimiter: ';' });
    const { ignored, suspect } = await recognize({
      ...packed,
      'svi/2022/Utah.csv': spreadsheet,
      'svi/2022/Iowa.csv': spreadsheet.replace('RPL_THEMES', 'THEMES'),
      'notes.txt': 'first; second; third\n',
    });
    expect(ignored).toEqual([
      'Delaware.csv: it is compressed with gzip; decompress it, or add .gz to its name',
      'Ohio.csv: it is a zip archive; unpack it, or add .zip to its name',
      'svi/2022/Utah.csv: looks like CDC/ATSDR SVI 2022, but its cells are separated by semicolons; save it with commas',
      'svi/2022/Iowa.csv: looks like CDC/ATSDR SVI 2022, but has no column RPL_THEMES',
      'notes.txt',
    ]);
    expect(suspect).toEqual(ignored.slice(0, 4));
  });

  it.each([
    ['2022/Delaware.csv', SVI.replace('RPL_THEMES', 'THEMES'), 'CDC/ATSDR SVI 2022', 'RPL_THEMES'],
    ['Delaware.csv', SVI.replace('ST_ABBR', 'ABBR').replace('FIPS', 'ID'), 'CDC/ATSDR SVI', 'ST_ABBR, FIPS or GEOID'],
    ['2022/Delaware.csv', SVI.replace(/_(?=THEME|ABBR)/g, '.'), 'CDC/ATSDR SVI 2022', OF_SVI],
    ['2022/Delaware.csv', SVI.replace(/_(?=THEME|ABBR)/g, ' '), 'CDC/ATSDR SVI 2022', OF_SVI],
    ['2022/ranks.csv', 'FIPS,Rpl_Themes\n10001040100,0.5\n', 'CDC/ATSDR SVI 2022', `${THEMES}, ST_ABBR`],
    [
      'export.csv',
      `FIPS,${['POV', 'UNEMP', 'HBURD', 'NOHSDP', 'UNINSUR'].map((name) => `EPL_${name}`)},overall\n1,2,3,4,5,6,7\n`,
      'CDC/ATSDR SVI',
      `${THEMES}, RPL_THEMES, ST_ABBR`,
    ],
    ['tracts 2023.txt', GAZETTEER.replace('GEOID', 'TRACT'), 'Census 2023 Gazetteer (tracts)', 'GEOID'],
    ['mean 2020.csv', CENPOP.replace('TRACTCE', 'TRACT'), '2020 Census (centers of population)', 'TRACTCE'],
    ['a/2022/income.csv', ACS.replace('GEO_ID', 'GEOID'), 'ACS 5-year 2018–2022 B19013', 'GEO_ID'],
    ['income.csv', ACS.replace('GEO_ID', 'GEOID'), 'ACS B19013', 'GEO_ID'],
    ['ej.csv', ejscreenText({}).replace('PNPL', 'NPL'), 'EPA EJScreen 2023', 'PNPL'],
    [
      'ct.csv',
      crosswalkText({}).replace('Tract_fips_2022', 'fips'),
      'Connecticut 2022 tract crosswalk',
      'tract_fips_2022',
    ],
    [
      'rel.txt',
      relationshipText([]).replace('GEOID_TRACT_10', 'GEOID_10'),
      'Census 2020–2010 tract relationship',
      'GEOID_TRACT_10',
    ],
    [
      'places.csv',
      'Year,StateAbbr,Data_Value,Data_Value_Type,LocationID,Measure\n2021,DE,1,Crude prevalence,10001040100,x\n',
      'CDC PLACES (release unnamed)',
      'MeasureId',
    ],
    [
      'npi 20231231-20240107.csv',
      registryText(physician({})).replace('Entity Type Code', 'Entity'),
      'NPPES registry through 2024-01-07',
      'Entity Type Code',
    ],
    [
      'sites.csv',
      hrsaText(hrsaSite({})).replace('FQHC Site NPI Number', 'NPI'),
      'HRSA Health Center Service Delivery and Look-Alike Sites',
      'FQHC Site NPI Number',
    ],
    [
      'clinics.csv',
      rhcText([npiAt(0), 'Clinic', '19901']).replace('ENROLLMENT ID', 'ENROLMENT'),
      'CMS Rural Health Clinic Enrollments',
      'ENROLLMENT ID',
    ],
    ['prov.csv', extractText().replace('npi', 'id'), 'Provider extract with coordinates', 'npi'],
    [
      'prov.csv',
      extractText().replace('lat,lon', 'y,x'),
      'Provider extract with coordinates',
      'lat or latitude, lng or lon or longitude',
    ],
    ['zips.txt', zctaGazetteerText(['19901', 39, -75]).replace('GEOID', 'ZCTA'), 'Census Gazetteer (ZCTAs)', 'GEOID'],
  ])(
    'but are nearly what one knows, are ignored with a word of what they lack: %s',
    async (name, text, product, lacks) => {
      const { ignored, suspect } = await recognize({ [name]: text });
      expect(ignored).toEqual([`${name}: looks like ${product}, but has no column ${lacks}`]);
      expect(suspect).toEqual(ignored);
    },
  );

  it('but may be centers of population of another year are ignored with a word, those of block groups without one', async () => {
    const ofBlockGroups = CENPOP.replace('TRACTCE', 'TRACTCE,BLKGRPCE');
    const names = ['CenPop2010_Mean_TR.txt', 'centers.csv'];
    const files = Object.fromEntries(names.map((name) => [name, CENPOP]));
    const { ignored, suspect } = await recognize({ ...files, 'CenPop2020_Mean_BG.txt': ofBlockGroups });
    expect(suspect).toEqual(
      names.map((name) => `${name}: looks like 2020 Census (centers of population), but its name does not say 2020`),
    );
    expect(ignored).toEqual([...suspect, 'CenPop2020_Mean_BG.txt']);
  });

  it('are not taken for what they share but a few columns with, or what they are told from by their rows', async () => {
    const files = {
      'sites.csv': 'name,city,lat,lng\na,b,39,-75\n',
      'ranks.csv': 'zip,RPL_THEMES\n19901,0.5\n',
      'splines.csv': 'spl_a,spl_b,epl_c,split,spleen,couple,replay,x\n1,2,3,4,5,6,7,8\n',
      'zips.csv': 'ZIP,TRACT,RATIO\n19901,10001040100,1\n',
      'stores.csv': 'name,state,zip,lat,lng\na,DE,19901,39,-75\n',
      'members.csv': 'npi,name,state\n1,a,DE\n',
      'counties.txt': GAZETTEER.replaceAll(/\b(1\d{4})\d{6}\b/g, '$1'),
      'urban areas.txt': GAZETTEER.replace('USPS', 'NAME').replaceAll(/\b1\d{10}\b/g, '123456'),
      'metadata.csv': 'Column Name,Label\nGEO_ID,Geography\nB19013_001E,Estimate\n',
      'ACSDP5Y2022.DP02-Data.csv': 'GEO_ID,NAME,DP02_0001E,\nGeography,Name,Estimate,\n1400000US10001040100,x,1,\n',
      'nation.json': '[["NAME","B19013_001E","us"],\n["United States","1","1"]]',
    };
    const input = await recognize(files);
    expect([input.ignored, input.suspect]).toEqual([Object.keys(files), []]);
  });

  it('are listed after what could not be opened, and those that are known by their product', async () => {
    const input = await recognizeFiles({
      shapefiles: [],
      others: [fakeFile('in/b.txt', 'b'), fakeFile('in/2023_Gaz_tracts_national.txt', gazetteerText(DELAWARE))],
      skipped: ['in/a.csv: a broken symbolic link'],
    });
    expect(input.ignored).toEqual(['in/a.csv: a broken symbolic link', 'in/b.txt']);
    expect(filesByProduct(input)).toEqual([
      { product: 'Census 2023 Gazetteer (tracts)', files: ['in/2023_Gaz_tracts_national.txt'] },
    ]);
  });
});

test('a file counts that is read, or that was meant to be, also within an archive; others do not', async () => {
  const directory = writeTree(temporaryDirectory(), {
    'gazetteer.zip': zipArchive({ '2023_Gaz_tracts_national.txt': GAZETTEER }),
    'Delaware.csv': '',
    'more.zip': zipArchive({ 'Ohio.csv': '' }),
    'notes.txt': 'a',
  });
  const files = await discoverFiles([directory]);
  const counted = filesThatCount(await recognizeFiles(files), files.found).map(({ path }) => basename(path));
  expect(counted.sort()).toEqual(['Delaware.csv', 'gazetteer.zip', 'more.zip']);
});

describe('half a shapefile', () => {
  const parts = tractShapefile('tl_2020_10_tract', DELAWARE);
  const set = (name: string) => {
    const shp = fakeFile(`in/${name}.shp`, parts['tl_2020_10_tract.shp'] ?? '');
    return { label: shp.label, name, shp, dbf: undefined, prj: undefined };
  };

  it.each(['tl_2020_10_tract', 'tl_2020_10_tract20', 'cb_2022_us_tract_500k'])(
    'of a tract product, %s, ends the compile and says what is missing',
    async (name) => {
      const shapes = recognizeFiles({ shapefiles: [set(name)], others: [], skipped: [] });
      await expect(shapes).rejects.toThrow(new RegExp(`^in/${name}\\.shp \\(.+\\): its \\.dbf is missing$`));
      const table = recognize({ [`in/${name}.DBF`]: parts['tl_2020_10_tract.dbf'] ?? '' });
      await expect(table).rejects.toThrow(new RegExp(`^in/${name}\\.DBF \\(.+\\): its \\.shp is missing$`));
    },
  );

  it('of another product is ignored', async () => {
    const others = [fakeFile('in/tl_2020_10_county.dbf', parts['tl_2020_10_tract.dbf'] ?? '')];
    const input = await recognizeFiles({ shapefiles: [set('roads')], others, skipped: [] });
    expect(input.ignored).toEqual(['in/roads.shp', 'in/tl_2020_10_county.dbf']);
  });
});
