import type { LatLng } from '../../../core/coordinates.js';
import type { Geoid } from '../../../core/geoid.js';
import { obtain } from '../../../core/obtain.js';
import { requireShapePerRow } from '../../files/shp-records.js';
import type { Outline, TractRow } from '../../intake/tract-rows.js';
import type { ReadShapes } from '../../outlines/shape-reader.js';
import { couldBeInUnitedStates } from '../../us-bounds.js';
import type { OutlineChoice } from './choose.js';
import { joinParts, type OutlineRecord } from './join-parts.js';
import type { TractShapefile } from './recognize.js';

/** A tract's attributes in a shapefile; the internal point is undefined if the product has none. */
type TractAttributes = Omit<TractRow, 'geoid' | 'lat' | 'lng'> & { readonly point: LatLng | undefined };

/**
 * Takes a tract's outline from the file with this label. The attributes are read only when they are asked for, because that
 * takes time.
 */
export type TakeTract = (outline: Outline, attributes: () => TractAttributes, label: string) => void;

/** While one file's bytes are decoded, others are inflated in Node's thread pool. Outlines come in no particular order. */
const FILES_AT_ONCE = 3;

/**
 * Decodes each tract's best outline, a few files at a time, and accounts for all of its records. If one turns out to be
 * broken, the next best takes its place, with a note; if none is left, the tract has no outline. `onFile` is called before
 * each file is read.
 */
export async function readOutlines(
  choices: ReadonlyMap<Geoid, readonly OutlineChoice[]>,
  readShapes: ReadShapes,
  onTract: TakeTract,
  onFile: () => void,
): Promise<void> {
  let open = choices;
  while (open.size > 0) {
    const broken = new Map<Geoid, readonly OutlineChoice[]>();
    await readBest(
      open,
      readShapes,
      (geoid, rings) => {
        const [best, ...worse] = open.get(geoid) ?? [];
        if (!best) return;
        if (!rings) {
          if (worse.length > 0) broken.set(geoid, worse);
          return;
        }
        if (choices.get(geoid)?.[0] !== best)
          best.tally.note('outline used in place of a broken one of a better product');
        for (const { file, records, tally } of worse) tally.leave(whyNot(file, best.file), records.length);
        onTract({ geoid, rings }, () => readAttributes(best), best.file.set.label);
      },
      onFile,
    );
    open = broken;
  }
}

const whyNot = (file: TractShapefile, chosen: TractShapefile): string =>
  chosen.rank > file.rank ? `better outline in ${chosen.product}` : `outline in another file of ${chosen.product}`;

/** Takes a tract's outline; undefined if it is broken, which has then been accounted for. */
type TakeRings = (geoid: Geoid, rings: Outline['rings'] | undefined) => void;

/** Decodes the first outline of each tract's list. */
async function readBest(
  choices: ReadonlyMap<Geoid, readonly OutlineChoice[]>,
  readShapes: ReadShapes,
  onRings: TakeRings,
  onFile: () => void,
): Promise<void> {
  const byFile = new Map<TractShapefile, Map<number, WantedOutline>>();
  for (const [geoid, [choice]] of choices) {
    if (!choice) continue;
    const wanted = { geoid, choice, read: [] };
    const records = obtain(byFile, choice.file, () => new Map<number, WantedOutline>());
    for (const record of choice.records) records.set(record, wanted);
  }
  const files = byFile.entries();
  const readFiles = async (): Promise<void> => {
    for (const [file, records] of files) {
      onFile();
      await readFile(file, records, readShapes, onRings);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, readFiles));
}

/** A tract's outline while its records are read. */
interface WantedOutline {
  readonly geoid: Geoid;
  readonly choice: OutlineChoice;
  readonly read: OutlineRecord[];
}

/** In smaller files, most tracts may well be groups of islands. */
const FEW_TRACTS = 5;
/** As of parcels that somebody has joined tracts to; GIS programs split few of a state's outlines. */
const MADE_OF_PIECES =
  'tract of several records in a file where most are: gaps between them, as streets between parcels, are in no tract';

/** Tells of tracts that are made of pieces which may not cover them. */
function notePieces(records: ReadonlyMap<number, WantedOutline>): void {
  const outlines = [...new Set(records.values())];
  const split = outlines.filter(({ choice }) => choice.records.length > 1);
  if (split.length < FEW_TRACTS || split.length * 2 <= outlines.length) return;
  for (const { choice } of split) choice.tally.note(MADE_OF_PIECES);
}

async function readFile(
  file: TractShapefile,
  records: ReadonlyMap<number, WantedOutline>,
  readShapes: ReadShapes,
  onRings: TakeRings,
): Promise<void> {
  const shapeCount = await readShapes(file.set.shp, new Set(records.keys()), (record, shape) => {
    const wanted = records.get(record);
    if (!wanted) return;
    const { geoid, choice, read } = wanted;
    read.push({ record, shape });
    if (read.length === choice.records.length) onRings(geoid, joinParts(read, geoid, choice.tally));
  });
  requireShapePerRow(file.set.label, shapeCount, file.table.rowCount);
  notePieces(records);
}

function readAttributes({ file, records: [record] }: OutlineChoice): TractAttributes {
  const { fields, table } = file;
  const number = (field: (typeof fields)['lat']): number =>
    field ? Number(table.cell(record, field) || Number.NaN) : Number.NaN;
  const lat = number(fields.lat);
  const lng = number(fields.lng);
  const point = couldBeInUnitedStates(lat, lng) ? { lat, lng } : undefined;
  return { point, landSqm: number(fields.land), waterSqm: number(fields.water) };
}
