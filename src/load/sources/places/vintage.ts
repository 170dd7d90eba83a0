import type { LayerKey } from '../../layer.js';
import type { InputFile } from '../../model.js';
import type { TractVintage } from '../../source-id.js';
import { yearOfFile } from '../file-year.js';
import { PLACES_MEASURES } from './measures.js';

/** The first release; its predecessor, 500 Cities, has other columns. */
const FIRST_RELEASE = 2020;

/** BRFSS answers of a year are published two years later; the newest measures of a release are of that age. */
export const YEARS_TO_RELEASE = 2;

/** The release year in the file's name or on its path. */
export function placesRelease(file: InputFile): number | undefined {
  return yearOfFile(file, (year) => year >= FIRST_RELEASE);
}

export const placesProduct = (release: number): string => `CDC PLACES ${release}`;

/** Releases up to 2023 are on 2010 tracts. */
const tractVintageOf = (release: number): TractVintage => (release <= 2023 ? 2010 : 2020);

export function placesLayerKey(release: number): LayerKey {
  return {
    source: 'places',
    table: 'PLACES',
    year: release,
    tractVintage: tractVintageOf(release),
    label: placesProduct(release),
    metrics: PLACES_MEASURES.map(({ path }) => path),
    preference: 0,
  };
}
