import { distanceMiles } from '../../core/coordinates.js';
import { stateFipsOf } from '../../core/geoid.js';
import { obtain } from '../../core/obtain.js';
import type { Intake } from '../intake/intake.js';
import type { Tally } from '../intake/tally.js';

/**
 * Of a tract's width, as the root of its area. In no state have more than 7% of the tracts their internal point farther from
 * their center of population. Once a gazetteer's rows have shifted by one, 67% have in each, and most after 0.1 degrees.
 */
const FAR_IN_WIDTHS = 0.75;
const METERS_PER_MILE = 1609.344;
/** Fewer tracts than this prove nothing. */
const FEW_TRACTS = 5;

const NOTE =
  'internal point far from the tract’s center of population, as of most of the state: in one of the two files, columns or rows may have shifted';

/** Notes states whose internal points in a gazetteer have probably shifted, which their outlines tell only if loaded. */
export function noteShiftedPoints(intake: Intake): void {
  const counts = new Map<string, { tally: Tally; compared: number; far: number }>();
  for (const [geoid, center] of intake.populationCenters) {
    const { row, tally } = intake.listedTract(geoid) ?? {};
    if (!row || !tally) continue;
    const id = JSON.stringify([stateFipsOf(geoid), tally.file]);
    const count = obtain(counts, id, () => ({ tally, compared: 0, far: 0 }));
    count.compared++;
    const widthMiles = Math.sqrt(row.landSqm + row.waterSqm) / METERS_PER_MILE;
    if (distanceMiles(row, center) > widthMiles * FAR_IN_WIDTHS) count.far++;
  }
  for (const { tally, compared, far } of counts.values()) {
    if (far >= FEW_TRACTS && far * 2 > compared) tally.note(NOTE, far);
  }
}
