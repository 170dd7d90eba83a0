import {
  acsDatText,
  cenpopText,
  ejscreenText,
  gazetteerText,
  type InputTree,
  type SquareTract,
  sviText,
  tractShapefile,
} from './official-files.js';
import { zipArchive } from './zip-writer.js';

/** Square tracts: three side by side in Delaware, two in DC. */
export const SMALL_TRACTS: readonly SquareTract[] = [
  { geoid: '10001040100', west: -75.7, south: 39 },
  { geoid: '10001040200', west: -75.6, south: 39 },
  { geoid: '10003000200', west: -75.5, south: 39 },
  { geoid: '11001000101', west: -77.1, south: 38.9 },
  { geoid: '11001000102', west: -77.0, south: 38.9 },
];

export const DELAWARE = SMALL_TRACTS.slice(0, 3);
export const COLUMBIA = SMALL_TRACTS.slice(3);

const byGeoid = <T>(value: (index: number) => T): Record<string, T> =>
  Object.fromEntries(SMALL_TRACTS.map(({ geoid }, index) => [geoid, value(index)]));

/**
 * Official files for five tracts, zipped and plain, as in an input directory. `poor` is the number of people in poverty in
 * the first tract, out of 1000; a different number makes a different dataset.
 */
export function smallInput(poor = 100): InputTree {
  return {
    'gazetteer/2023_Gaz_tracts_national.zip': zipArchive(
      { '2023_Gaz_tracts_national.txt': gazetteerText(SMALL_TRACTS) },
      'deflated',
    ),
    'tiger/tl_2020_10_tract.zip': zipArchive(tractShapefile('tl_2020_10_tract', DELAWARE), 'deflated'),
    ...tractShapefile('tiger/dc/tl_2020_11_tract', COLUMBIA),
    'acs/acsdt5y2022-b17001.dat': acsDatText(
      ['B17001_E001', 'B17001_E002'],
      byGeoid((index) => [1000, index === 0 ? poor : 50 + index]),
    ),
    'acs/acsdt5y2022-b19013.dat': acsDatText(
      ['B19013_E001'],
      byGeoid((index) => [index === 4 ? -666666666 : 50_000 + index]),
    ),
    'cenpop/CenPop2020_Mean_TR.txt': cenpopText(byGeoid((index) => 4000 + index)),
    'svi/SVI_2022_US.csv': sviText(byGeoid((index) => [0.1, 0.2, 0.3, 0.4, index === 4 ? -999 : 0.5])),
    'ejscreen/EJSCREEN_2023_Tracts.csv': ejscreenText(
      byGeoid((index) => [7 + index, index === 0 ? null : 40, 0.2, 30, 0.3, 100, 0.25, 0.1, 0.2, 1.5, 0.01]),
    ),
    'notes/readme.txt': 'nothing that a source knows\n',
  };
}
