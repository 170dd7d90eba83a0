import { type Geoid, stateFipsOf } from '../../../core/geoid.js';
import { readDbf } from '../../files/dbf.js';
import type { ShapefileSet } from '../../files/discover.js';
import { couldBeInUnitedStates, readShp } from '../../files/shp.js';
import { readGeoidField } from '../../geoid-field.js';
import { COUNTY_NAME_TRUST, InputError, type LoadSink, type Outline, type TractRow } from '../../model.js';
import type { Tally } from '../../tally.js';
import { recognizeTractShapefile, type TractShapefile } from './recognize.js';

export type { TractShapefile } from './recognize.js';

/** A shapefile of tracts that may be loaded, or why it must not be. */
export type ShapefileRecognition =
  | { readonly file: TractShapefile }
  | { readonly product: string; readonly refuse: string };

/** Reads a shapefile's attributes and projection; undefined where it is not one of census tracts. Throws `InputError`. */
export async function recognize(set: ShapefileSet): Promise<ShapefileRecognition | undefined> {
  if (!set.dbf) return undefined;
  const file = recognizeTractShapefile(set, await readDbf(set.dbf));
  if (!file) return undefined;
  const projection = set.prj ? await readText(set) : '';
  if (/^\s*PROJ(CS|CRS)/i.test(projection)) {
    const name = /"([^"]*)"/.exec(projection)?.[1] ?? 'unnamed';
    return {
      product: file.product,
      refuse: `its coordinates are projected (${name}); load it in longitude and latitude (NAD83 or WGS84)`,
    };
  }
  return { file };
}

async function readText(set: ShapefileSet): Promise<string> {
  if (!set.prj) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of await set.prj.open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Which record of which file holds a tract's best outline. */
export interface OutlineChoice {
  readonly file: TractShapefile;
  readonly record: number;
  readonly tally: Tally;
}

/** The 2020 tracts that the first 2010-based product still names are another delineation. */
const FIRST_YEAR_OF_2020_TRACTS = 2020;

/**
 * Goes through the attributes of all shapefiles and chooses, for each tract, the best record. `currentGeoid` moves a
 * GEOID to the one in use (Connecticut's planning regions), or gives the reason why it cannot.
 */
export function chooseOutlines(
  files: readonly TractShapefile[],
  sink: LoadSink,
  currentGeoid: (geoid: Geoid) => Geoid | { readonly reject: string } | { readonly leave: string },
): Map<Geoid, OutlineChoice> {
  const best = new Map<Geoid, OutlineChoice>();
  for (const file of files) {
    const tally = sink.tally('tiger', file.product);
    for (let record = 0; record < file.table.rowCount; record++) {
      tally.read++;
      const field = file.table.isDeleted(record)
        ? undefined
        : readGeoidField(file.table.cell(record, file.fields.geoid));
      if (!field) {
        tally.reject('not a tract GEOID');
        continue;
      }
      const unwanted = sink.leaveOut(stateFipsOf(field.geoid));
      if (unwanted) tally.leave(unwanted);
      else if (file.year !== 0 && file.year < FIRST_YEAR_OF_2020_TRACTS) tally.leave('outlines of 2010 tracts');
      else {
        const current = currentGeoid(field.geoid);
        consider(best, { file, record, tally }, current);
        nameCounty(file, record, field.geoid, current, sink);
      }
    }
  }
  return best;
}

/** Takes over the county's name, unless the tract has moved to another county since. */
function nameCounty(file: TractShapefile, record: number, published: Geoid, current: unknown, sink: LoadSink): void {
  if (current !== published || !file.fields.countyName) return;
  const name = file.table.cell(record, file.fields.countyName);
  if (name) sink.addCountyName(published.slice(0, 5), name, COUNTY_NAME_TRUST.tiger);
}

function consider(
  best: Map<Geoid, OutlineChoice>,
  choice: OutlineChoice,
  current: Geoid | { readonly reject: string } | { readonly leave: string },
): void {
  if (typeof current !== 'string') {
    if ('reject' in current) choice.tally.reject(current.reject);
    else choice.tally.leave(current.leave);
    return;
  }
  const rival = best.get(current);
  if (!rival) {
    best.set(current, choice);
    return;
  }
  const [winner, loser] = choice.file.rank > rival.file.rank ? [choice, rival] : [rival, choice];
  if (winner.file === loser.file) loser.tally.reject('duplicate GEOID');
  else loser.tally.leave(`better outline in ${winner.file.product}`);
  best.set(current, winner);
}

/** While one file's bytes are decoded, others are inflated on Node's own threads. What comes of it has no order. */
const FILES_AT_ONCE = 3;

/**
 * Decodes the chosen outlines, a few files at a time. `onTract` gets what the attributes say of the tract; its internal point is
 * undefined where the product has none.
 */
export async function readOutlines(
  choices: ReadonlyMap<Geoid, OutlineChoice>,
  sink: LoadSink,
  onTract: TakeTract,
  onFile: (label: string) => void,
): Promise<void> {
  const byFile = new Map<TractShapefile, Map<number, Geoid>>();
  for (const [geoid, { file, record }] of choices) {
    const records = byFile.get(file) ?? new Map<number, Geoid>();
    byFile.set(file, records.set(record, geoid));
  }
  const files = byFile.entries();
  const readFiles = async (): Promise<void> => {
    for (const [file, records] of files) {
      onFile(file.set.label);
      await readFile(file, records, sink, onTract);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, readFiles));
}

type TakeTract = (
  row: Omit<TractRow, 'lat' | 'lng'> & { point: { lat: number; lng: number } | undefined },
  outline: Outline,
) => void;

async function readFile(
  file: TractShapefile,
  records: Map<number, Geoid>,
  sink: LoadSink,
  onTract: TakeTract,
): Promise<void> {
  const tally = sink.tally('tiger', file.product);
  await readShp(
    file.set.shp,
    (record) => records.has(record),
    (record, shape) => {
      const geoid = records.get(record);
      if (geoid === undefined) return;
      records.delete(record);
      if ('problem' in shape) {
        tally.reject(shape.problem);
        return;
      }
      onTract(readAttributes(file, record, geoid), { geoid, rings: shape.rings });
    },
  );
  if (records.size > 0) {
    throw new InputError(`${file.set.label}: holds ${records.size} shapes fewer than its .dbf has rows`);
  }
}

function readAttributes(
  file: TractShapefile,
  record: number,
  geoid: Geoid,
): Omit<TractRow, 'lat' | 'lng'> & { point: { lat: number; lng: number } | undefined } {
  const { fields, table } = file;
  const number = (field: (typeof fields)['lat']): number =>
    field ? Number(table.cell(record, field) || Number.NaN) : Number.NaN;
  const lat = number(fields.lat);
  const lng = number(fields.lng);
  const point = couldBeInUnitedStates(lat, lng) ? { lat, lng } : undefined;
  return { geoid, point, landSqm: number(fields.land), waterSqm: number(fields.water) };
}
