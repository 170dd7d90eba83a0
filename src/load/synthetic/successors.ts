import { quantize } from '../../core/coordinates.js';
import type { Axis } from './rings.js';

/** An area recursively cut in two by lines parallel to the axes, down to single counties. */
export type Partition =
  | { readonly fips: string; readonly name: string }
  | { readonly axis: Axis; readonly where: number; readonly low: Partition; readonly high: Partition };

/** Counties of the atlas whose combined area is divided anew, and the counties that replace them. */
export interface Succession {
  readonly predecessors: readonly string[];
  readonly partition: Partition;
}

const county = (fips: string, name: string): Partition => ({ fips, name });

/** `low` is the part west of the meridian, `high` the part east of it. */
const atLongitude = (degrees: number, low: Partition, high: Partition): Partition => ({
  axis: 'x',
  where: quantize(degrees),
  low,
  high,
});

/** `low` is the part south of the parallel, `high` the part north of it. */
const atLatitude = (degrees: number, low: Partition, high: Partition): Partition => ({
  axis: 'y',
  where: quantize(degrees),
  low,
  high,
});

/**
 * Approximations, good enough for a synthetic nation: the successors are where the real ones are, but their borders inside
 * the predecessors' area are straight lines.
 *
 * - Connecticut: the eight counties were replaced by nine planning regions in 2022.
 * - Alaska: Valdez-Cordova was split into Chugach and Copper River in 2019.
 * - Virginia: Falls Church (5 km²) is a mere point in the atlas; it gets the adjacent tip of Arlington.
 *
 * Source: https://www.census.gov/programs-surveys/geography/technical-documentation/county-changes.html
 */
export const SUCCESSIONS: readonly Succession[] = [
  {
    predecessors: ['09001', '09003', '09005', '09007', '09009', '09011', '09013', '09015'],
    partition: atLongitude(
      -72.2812345,
      atLatitude(
        41.5812345,
        atLongitude(
          -73.3012345,
          county('09190', 'Western Connecticut Planning Region'),
          atLongitude(
            -72.6212345,
            atLongitude(
              -73.0112345,
              atLatitude(
                41.3212345,
                county('09120', 'Greater Bridgeport Planning Region'),
                county('09140', 'Naugatuck Valley Planning Region'),
              ),
              county('09170', 'South Central Connecticut Planning Region'),
            ),
            county('09130', 'Lower Connecticut River Valley Planning Region'),
          ),
        ),
        atLongitude(
          -72.9812345,
          county('09160', 'Northwest Hills Planning Region'),
          county('09110', 'Capitol Planning Region'),
        ),
      ),
      atLatitude(
        41.6712345,
        county('09180', 'Southeastern Connecticut Planning Region'),
        county('09150', 'Northeastern Connecticut Planning Region'),
      ),
    ),
  },
  {
    predecessors: ['02261'],
    partition: atLatitude(
      61.3512345,
      county('02063', 'Chugach Census Area'),
      county('02066', 'Copper River Census Area'),
    ),
  },
  {
    predecessors: ['51013', '51610'],
    partition: atLongitude(-77.1512345, county('51610', 'Falls Church city'), county('51013', 'Arlington County')),
  },
];
