import { rmSync } from 'node:fs';
import type { LatLng } from '../../../core/coordinates.js';
import { mapFile } from '../../../format/byte-source.js';
import { openOutlinesFile, writeOutlinesFile } from '../../../format/outlines-file.js';
import { readShp } from '../../files/shp.js';
import { requireShapePerRow } from '../../files/shp-records.js';
import { NOT_UTF_8 } from '../../files/text-encoding.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { Outline } from '../../intake/tract-rows.js';
import type { PlaceFile } from './recognize.js';

/** Gives the name of the place at a point, or undefined. */
export type PlaceAt = (point: LatLng) => string | undefined;

/** A state's places, which can be looked up by point until they are closed. */
export interface Places {
  readonly placeAt: PlaceAt;
  close(): void;
}

/** The newest file of each state, by FIPS code. The rows of other files, and of unwanted states, are accounted for. */
export function choosePlaces(files: readonly PlaceFile[], sink: LoadSink): Map<string, PlaceFile> {
  const newest = new Map<string, PlaceFile>();
  for (const file of files) {
    const known = newest.get(file.stateFips);
    if (!known || file.year > known.year) newest.set(file.stateFips, file);
  }
  for (const file of files) {
    const unwanted = sink.leaveOut(file.stateFips);
    const chosen = newest.get(file.stateFips);
    if (unwanted) leaveAll(file, unwanted, sink);
    else if (chosen && chosen !== file) {
      leaveAll(file, `${chosen.year > file.year ? 'newer' : 'another'} file of the state loaded`, sink);
    }
    if (unwanted) newest.delete(file.stateFips);
  }
  return newest;
}

/** Accounts for all rows of a file that is not used. */
export function leaveAll({ set, product, table }: PlaceFile, why: string, sink: LoadSink): void {
  const tally = sink.tally('tiger-place', product, set.label);
  tally.read += table.rowCount;
  tally.leave(why, table.rowCount);
}

/**
 * Reads a state's places and keeps their outlines in a temporary file at `path` while they are open. Throws `InputError` on
 * a file that cannot be read to its end.
 */
export async function openPlaces(file: PlaceFile, path: string, sink: LoadSink): Promise<Places> {
  const { names, outlines } = await readPlaces(file, sink);
  writeOutlinesFile(path, outlines);
  const opened = openOutlinesFile(mapFile(path), outlines.length);
  return {
    placeAt: (point) => names[opened.locate(point)],
    close: () => {
      opened.container.release();
      rmSync(path);
    },
  };
}

async function readPlaces(
  { set, table, name, state, stateFips, product }: PlaceFile,
  sink: LoadSink,
): Promise<{ readonly names: readonly string[]; readonly outlines: readonly Outline['rings'][] }> {
  const tally = sink.tally('tiger-place', product, set.label);
  const names: string[] = [];
  const outlines: Outline['rings'][] = [];
  const shapeCount = await readShp(
    set.shp,
    () => true,
    (record, shape) => {
      tally.read++;
      tally.row = record + 1;
      const text = table.isDeleted(record) ? '' : table.cell(record, name);
      if (table.isDeleted(record)) tally.reject('marked as deleted');
      else if (state && table.cell(record, state).padStart(2, '0') !== stateFips)
        tally.reject('of another state than the file’s name says', {
          column: state.name,
          value: table.cell(record, state),
        });
      else if (text === '') tally.reject('a place without a name');
      else if ('problem' in shape) tally.reject(shape.problem);
      else {
        if (table.isInOtherEncoding(record)) tally.note(NOT_UTF_8);
        names.push(text);
        outlines.push(shape.rings);
      }
    },
  );
  tally.row = 0;
  requireShapePerRow(set.label, shapeCount, table.rowCount);
  return { names, outlines };
}
