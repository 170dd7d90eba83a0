import { distanceMiles } from '../../core/coordinates.js';
import { stateFipsOf } from '../../core/geoid.js';
import { obtain } from '../../core/obtain.js';
import { stateByFips } from '../../core/states.js';
import { InputError } from '../input.js';
import type { Intake } from '../intake/intake.js';

/**
 * Of a tract's width, as the root of its area. In no state have more than 7% of the tracts their internal point farther from
 * their center of population. Once a gazetteer's rows have shifted by one, 67% have in each, and most after 0.1 degrees.
 */
const FAR_IN_WIDTHS = 0.75;
const METERS_PER_MILE = 1609.344;
/** Fewer tracts than this prove nothing. */
const FEW_TRACTS = 5;

/**
 * Refuses states whose internal points in a gazetteer are mostly far from the centers of population: in one of the two files,
 * columns or rows have shifted, which outlines tell only if loaded. Throws `InputError` naming both.
 */
export function refuseShiftedPoints(intake: Intake): void {
  const counts = new Map<string, { stateFips: string; files: string; compared: number; far: number }>();
  for (const [geoid, center] of intake.populationCenters) {
    const { row, tally } = intake.listedTract(geoid) ?? {};
    if (!row || !tally) continue;
    const [stateFips, files] = [stateFipsOf(geoid), `${tally.file ?? tally.product}, ${center.file}`];
    const count = obtain(counts, `${stateFips} ${files}`, () => ({ stateFips, files, compared: 0, far: 0 }));
    count.compared++;
    const widthMiles = Math.sqrt(row.landSqm + row.waterSqm) / METERS_PER_MILE;
    if (distanceMiles(row, center) > widthMiles * FAR_IN_WIDTHS) count.far++;
  }
  const faults = [...counts.values()].filter(({ far, compared }) => far >= FEW_TRACTS && far * 2 > compared);
  if (faults.length === 0) return;
  const texts = faults.map(({ stateFips, files, compared, far }) => {
    const state = stateByFips(stateFips)?.name ?? stateFips;
    const what = `${far} of ${compared} internal points of ${state} are far from their tracts’ centers of population`;
    return `${files}: ${what}; columns or rows of a file have shifted: download both again`;
  });
  throw new InputError(texts.join('\n'));
}
