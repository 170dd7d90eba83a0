import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { expect, onTestFinished, test } from 'vitest';
import { runTestFetch } from '../support/fetching.js';
import { load } from '../support/loading.js';
import { startOfficialServer } from '../support/official-server.js';
import { realDataDir } from '../support/real-data.js';
import { startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { unzip } from '../support/unzip.js';
import { zipArchive } from '../support/zip-writer.js';

const dataDir = realDataDir('fetch of real files');
const raw = (...path: string[]): Buffer => readFileSync(join(dataDir ?? '', 'raw', ...path));

interface Row {
  readonly [column: string]: string;
}

/** Delaware's rows; the nation's are many. */
const ofDelaware = (text: string, start: RegExp): string =>
  text
    .split('\n')
    .filter((line, at) => at === 0 || start.test(line))
    .join('\n');

const table = (text: string): Row[] =>
  Papa.parse<Row>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
    transformHeader: (name) => name.trim(),
    transform: (cell) => cell.trim(),
  }).data;

const CENSUS = 'www2.census.gov/geo';
const GAZETTEER = `${CENSUS}/docs/maps-data/data/gazetteer/2023_Gazetteer/2023_Gaz_tracts_national.zip`;
const TIGER = `${CENSUS}/tiger/TIGER2020/TRACT/tl_2020_10_tract.zip`;
const EJSCREEN = 'EJSCREEN_2023_Tracts_with_AS_CNMI_GU_VI.csv';

/** The real files at their agencies' paths. Of the nation's SVI and EJScreen, Delaware's rows. */
function agencies(): Record<string, Buffer> {
  const ejscreen = gunzipSync(raw('ejscreen', '2023', 'EJSCREEN_2023_Tracts_StatePct.csv.gz')).toString();
  return {
    [GAZETTEER]: raw('gazetteer', '2023_Gaz_tracts_national.zip'),
    [TIGER]: raw('tiger', 'tl_2020_10_tract.zip'),
    [`${CENSUS}/docs/reference/cenpop2020/tract/CenPop2020_Mean_TR.txt`]: raw('cenpop', 'CenPop2020_Mean_TR.txt'),
    'svi.cdc.gov/Documents/Data/2020/csv/states/SVI_2020_US.csv': raw('svi', '2020', 'Delaware.csv'),
    [`web.archive.org/web/2025if_/https://gaftp.epa.gov/EJScreen/2023/2.22_September_UseMe/${EJSCREEN}.zip`]:
      zipArchive({ [EJSCREEN]: ofDelaware(ejscreen, /^\d+,10/) }, 'deflated'),
    'data.hrsa.gov/DataDownload/DD_Files/Health_Center_Service_Delivery_and_LookAlike_Sites.csv': raw(
      'hrsa',
      'Health_Center_Sites.excerpt.csv',
    ),
    'raw.githubusercontent.com/CT-Data-Collaborative/2022-tract-crosswalk/main/2022tractcrosswalk.csv': raw(
      'crosswalk',
      'ct_2022tractcrosswalk.csv',
    ),
  };
}

test.skipIf(dataDir === undefined)(
  'real files at their official paths are fetched over faults, compiled, and served as they are written',
  async () => {
    const files = agencies();
    const server = await startOfficialServer(files, {
      fault: (path, nth) => (nth === 1 && path.endsWith('.zip') ? { dropAfterBytes: 100_000 } : undefined),
    });
    const root = temporaryDirectory();
    const [outputDir, datasets] = [join(root, 'raw'), join(root, 'datasets')];
    for (const [year, sources] of [
      [2020, ['tiger', 'svi']],
      [2023, ['gazetteer', 'cenpop', 'ejscreen', 'ct-crosswalk', 'hrsa']],
    ] as const) {
      const { report } = await runTestFetch({ year, sources, mirror: server.url }, { outputDir });
      expect(report.files.filter(({ outcome }) => outcome !== 'new')).toEqual([]);
    }
    expect(readFileSync(join(outputDir, 'tiger/2020/tl_2020_10_tract.zip'))).toEqual(files[TIGER]);
    const filter = { states: new Set(['10']), territories: false };
    const { published, error } = await load({ inputDirs: [outputDir], outputDir: datasets, filter });
    if (!published) throw error;

    const service = await startService(datasets);
    onTestFinished(service.kill);
    const ask = async (path: string) => JSON.parse(await (await service.fetch(path)).text());
    const [gazetteer = ''] = [
      ...(await unzip(join(outputDir, 'gazetteer/2023/2023_Gaz_tracts_national.zip'))).values(),
    ].map(String);
    const tracts = table(ofDelaware(gazetteer, /^DE/));
    const svi = new Map(table(raw('svi', '2020', 'Delaware.csv').toString()).map((row) => [row.GEOID, row]));
    const cenpop = table(ofDelaware(raw('cenpop', 'CenPop2020_Mean_TR.txt').toString(), /^10/));
    for (const { GEOID, INTPTLAT, INTPTLONG } of tracts.filter((_, at) => at % 40 === 0)) {
      const { tract } = await ask(`/v1/context?lat=${INTPTLAT}&lng=${INTPTLONG}`);
      const count = cenpop.find((row) => `${row.STATEFP}${row.COUNTYFP}${row.TRACTCE}` === GEOID)?.POPULATION;
      const rank = Number(svi.get(GEOID)?.RPL_THEMES);
      expect(tract).toMatchObject({ geoid: GEOID, total_population: Number(count) });
      expect(tract.svi_themes.rpl_themes).toBe(rank === -999 ? null : rank);
      expect(tract.epa_data._source).toBe('EPA EJScreen 2023');
    }
    const { sources } = await ask('/metrics');
    expect(sources).toContainEqual(expect.objectContaining({ source: 'svi', vintage: '2020', fetched: '2026-01-02' }));
  },
  60_000,
);
