import { acsSequenceTree } from './acs-sequences.js';
import { countyShapefile } from './county-files.js';
import { npiAt, physician, registryText } from './nppes.js';
import {
  acsDatText,
  cenpopText,
  crosswalkText,
  ejscreenText,
  gazetteerText,
  type InputTree,
  placesWideText,
  relationshipText,
  type SquareTract,
  sviText,
  tractShapefile,
} from './official-files.js';
import { hrsaSite, hrsaText, rhcText, zctaGazetteerText, zctaTractText } from './provider-files.js';
import { zipArchive } from './zip-writer.js';

/** Square tracts in three states; Connecticut's GEOIDs are by planning region, as in gazetteers from 2022 on. */
export const NATION_TRACTS: readonly SquareTract[] = [
  { geoid: '09110500100', west: -72.7, south: 41.7 },
  { geoid: '09110500200', west: -72.6, south: 41.7 },
  { geoid: '10001040100', west: -75.7, south: 39 },
  { geoid: '10001040200', west: -75.6, south: 39 },
  { geoid: '10003000200', west: -75.5, south: 39 },
  { geoid: '11001000101', west: -77.1, south: 38.9 },
];
/** A tract that was redrawn in 2020: the 2010 tract with the same GEOID covers different land. */
export const REDRAWN = '10001040200';

const STATES = ['09', '10', '11'];
const GEO = 'www2.census.gov/geo';
const GAZETTEERS = `${GEO}/docs/maps-data/data/gazetteer/2023_Gazetteer`;
const ACS = 'www2.census.gov/programs-surveys/acs/summary_file';
const NPPES = 'download.cms.gov/nppes';

/** A tract's GEOID until 2021, when Connecticut's were still based on its counties. */
const byCounty = (geoid: string): string => geoid.replace(/^09110/, '09003');

const zipped = (name: string, content: string | Buffer): Buffer => zipArchive({ [name]: content }, 'deflated');
const all = <T>(value: (at: number) => T, name = (geoid: string) => geoid): Record<string, T> =>
  Object.fromEntries(NATION_TRACTS.map(({ geoid }, at) => [name(geoid), value(at)]));

/** The estimates of the six tables by column, for the tract at position `at`; population and income grow every year. */
const ACS_TABLES: Readonly<Record<string, (year: number, at: number) => Readonly<Record<string, number>>>> = {
  b01003: (year, at) => ({ B01003_E001: 4000 + at + (year - 2019) * 10 }),
  b01002: (_year, at) => ({ B01002_E001: 35 + at }),
  b19013: (year, at) => ({ B19013_E001: 50_000 + at + (year - 2019) * 1000 }),
  b17001: (_year, at) => ({ B17001_E001: 1000, B17001_E002: 100 + at }),
  b23025: (_year, at) => ({ B23025_E003: 1000, B23025_E005: 50 + at }),
  b27010: (_year, at) => ({ B27010_E001: 1000, B27010_E017: 10 + at, B27010_E033: 9, B27010_E050: 8, B27010_E066: 7 }),
};

/** The six summary-file tables of a year, with that year's GEOIDs. */
export function acsYear(year: number): InputTree {
  const folder = year >= 2021 ? `${year}/table-based-SF/data` : `${year}/prototype`;
  const name = year >= 2022 ? (geoid: string) => geoid : byCounty;
  return Object.fromEntries(
    Object.entries(ACS_TABLES).map(([table, estimates]) => [
      `${ACS}/${folder}/5YRData/acsdt5y${year}-${table}.dat`,
      acsDatText(
        Object.keys(estimates(year, 0)),
        all((at) => Object.values(estimates(year, at)), name),
      ),
    ]),
  );
}

/** The states by FIPS, with the names that the agency uses in the files and folders of sequences. */
const SEQUENCE_STATES = [
  ['09', 'ct', 'Connecticut'],
  ['10', 'de', 'Delaware'],
  ['11', 'dc', 'DistrictOfColumbia'],
] as const;

/** The same estimates for a year until 2018, in the sequence-based layout. */
function acsSequenceYear(year: number): InputTree {
  return Object.assign(
    {},
    ...SEQUENCE_STATES.map(([fips, state, folder]) => {
      const places = [...NATION_TRACTS.keys()].filter((at) => NATION_TRACTS[at]?.geoid.startsWith(fips));
      const tracts = places.map((at) => ({ geoid: byCounty(NATION_TRACTS[at]?.geoid ?? '') }));
      const estimate = (line: string, at: number): number => {
        const [table = '', number] = line.split('_');
        return ACS_TABLES[table.toLowerCase()]?.(year, places[at] ?? 0)[`${table}_E${number}`] ?? 1;
      };
      return acsSequenceTree(folder, { year, state, tracts, estimate });
    }),
  );
}

/** Everything that `fetch --year 2023` downloads for three small states, at the agencies' paths and in their layouts. */
export function officialNation(): InputTree {
  return {
    [`${GAZETTEERS}/2023_Gaz_tracts_national.zip`]: zipped(
      '2023_Gaz_tracts_national.txt',
      gazetteerText(NATION_TRACTS),
    ),
    [`${GAZETTEERS}/2023_Gaz_zcta_national.zip`]: zipped(
      '2023_Gaz_zcta_national.txt',
      zctaGazetteerText(['19901', 39.05, -75.65]),
    ),
    [`${GEO}/docs/maps-data/data/rel2020/zcta520/tab20_zcta520_tract20_natl.txt`]: zctaTractText([
      '19901',
      '10001040100',
      5,
    ]),
    [`${GEO}/docs/maps-data/data/rel2020/tract/tab20_tract20_tract10_natl.txt`]: relationshipText(
      NATION_TRACTS.map(({ geoid }) => {
        const shared = geoid === REDRAWN ? 500 : 1000;
        return [byCounty(geoid), byCounty(geoid), 1000, 0, 1000, 0, shared, 0];
      }),
    ),
    [`${GEO}/docs/reference/cenpop2020/tract/CenPop2020_Mean_TR.txt`]: cenpopText(all((at) => 3900 + at, byCounty)),
    'raw.githubusercontent.com/CT-Data-Collaborative/2022-tract-crosswalk/main/2022tractcrosswalk.csv': crosswalkText(
      Object.fromEntries(
        NATION_TRACTS.filter(({ geoid }) => geoid.startsWith('09')).map(({ geoid }) => [byCounty(geoid), geoid]),
      ),
    ),
    ...outlines(),
    ...streets(),
    ...Object.fromEntries([2019, 2020, 2021, 2022, 2023].flatMap((year) => Object.entries(acsYear(year)))),
    ...Object.assign({}, ...[2013, 2014, 2015, 2016, 2017, 2018].map(acsSequenceYear)),
    'svi.cdc.gov/Documents/Data/2022/csv/states/SVI_2022_US.csv': sviText(all((at) => [0.1, 0.2, 0.3, 0.4, at / 10])),
    'data.cdc.gov/api/views/hky2-3tpn/rows.csv': placesWideText(
      ['DIABETES', 'OBESITY'],
      all((at) => [10 + at, 30], byCounty),
    ),
    // EPA's own server no longer has this file, but an archive does.
    'web.archive.org/web/2025if_/https://gaftp.epa.gov/EJScreen/2023/2.22_September_UseMe/EJSCREEN_2023_Tracts_with_AS_CNMI_GU_VI.csv.zip':
      zipped(
        'EJSCREEN_2023_Tracts_with_AS_CNMI_GU_VI.csv',
        ejscreenText(all((at) => [7 + at, 40, 0.2, 30, 0.3, 100, 0.25, 0.1, 0.2, 1.5, 0.01], byCounty)),
      ),
    ...providers(),
  };
}

function outlines(): InputTree {
  return Object.fromEntries(
    STATES.map((state) => {
      const name = `tl_2023_${state}_tract`;
      const tracts = NATION_TRACTS.filter(({ geoid }) => geoid.startsWith(state));
      return [`${GEO}/tiger/TIGER2023/TRACT/${name}.zip`, zipArchive(tractShapefile(name, tracts), 'deflated')];
    }),
  );
}

function streets(): InputTree {
  const counties = new Set(NATION_TRACTS.map(({ geoid }) => geoid.slice(0, 5)));
  return Object.fromEntries(
    [...counties].map((county) => {
      const name = `tl_2023_${county}_addrfeat`;
      const tract = NATION_TRACTS.find(({ geoid }) => geoid.startsWith(county));
      const [lng, lat] = [(tract?.west ?? 0) + 0.05, (tract?.south ?? 0) + 0.02];
      const cells = { TLID: 1, FULLNAME: 'Sample St', ZIPL: '19901', ZIPR: '19901', LFROMHN: '101', LTOHN: '199' };
      const rows = [
        {
          cells,
          line: [
            [lng, lat],
            [lng, lat + 0.05],
          ] as const,
        },
      ];
      return [`${GEO}/tiger/TIGER2023/ADDRFEAT/${name}.zip`, zipArchive(countyShapefile(name, rows), 'deflated')];
    }),
  );
}

function providers(): InputTree {
  const doctor = (at: number) =>
    physician({
      NPI: npiAt(at),
      'Provider Business Practice Location Address City Name': 'SAMPLETON',
      'Provider Business Practice Location Address State Name': 'DE',
      'Provider Business Practice Location Address Postal Code': '199011234',
    });
  const clinics = 'sites/default/files/2025-10/Rural_Health_Clinic_Enrollments_2025.10.01.csv';
  return {
    [`${NPPES}/NPI_Files.html`]:
      "<a href='./NPPES_Data_Dissemination_November_2025_V2.zip'>full</a>" +
      "<a href='./NPPES_Data_Dissemination_110325_110925_Weekly_V2.zip'>weekly</a>",
    [`${NPPES}/NPPES_Data_Dissemination_November_2025_V2.zip`]: zipped(
      'npidata_pfile_20050523-20251109.csv',
      registryText(doctor(0), doctor(1)),
    ),
    [`${NPPES}/NPPES_Data_Dissemination_110325_110925_Weekly_V2.zip`]: zipped(
      'npidata_pfile_20251103-20251109.csv',
      registryText(doctor(2)),
    ),
    'data.hrsa.gov/DataDownload/DD_Files/Health_Center_Service_Delivery_and_LookAlike_Sites.csv': hrsaText(
      hrsaSite({}),
    ),
    'data.cms.gov/data.json': JSON.stringify({ downloadURL: `https://data.cms.gov/${clinics}` }).replaceAll('/', '\\/'),
    [`data.cms.gov/${clinics}`]: rhcText([npiAt(9), 'SYNTHETIC COUNTRY CLINIC', '19901']),
  };
}
