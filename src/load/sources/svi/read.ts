import { type Geoid, stateFipsOf } from '../../../core/geoid.js';
import type { TextProbe } from '../../files/probe.js';
import { Layer, type LayerKey } from '../../intake/layer.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { type ColumnNames, cellAt, optionalColumn, requireColumns } from '../columns.js';
import { COUNTY_NAME_TRUST, countyOfTractName, createCountyNamer } from '../county-names.js';
import { type MissingRule, parseDecimal, readNumber } from '../number-cell.js';
import { type RowTaker, readTable } from '../read-table.js';
import { isWanted, readTractField, whyNoGeoid } from '../tract-field.js';
import { isNamedOtherwise, rejectNamedOtherwise } from '../tract-name.js';
import { checkRange, pathsOf } from '../value-range.js';
import { addRank, areWithinStates, type RanksByState } from './state-ranks.js';
import { sviTractVintage } from './vintage.js';

/** The GEOID's column; the national files of some releases call it GEOID. */
export const SVI_GEOID: readonly string[] = ['FIPS', 'GEOID'];

const METRICS = pathsOf('svi_themes');
/** `svi_themes.rpl_theme1` comes from RPL_THEME1, and so on. */
const RANK_COLUMNS: Readonly<Record<string, ColumnNames>> = Object.fromEntries(
  METRICS.map((path) => [path, [path.slice('svi_themes.'.length).toUpperCase()]]),
);
export const SVI_COLUMNS: Readonly<Record<string, ColumnNames>> = { geoid: SVI_GEOID, ...RANK_COLUMNS };

/** A row that is not in a layer yet: which layer it belongs to is known only after the whole file has been read. */
interface PendingRow {
  readonly geoid: Geoid;
  readonly values: readonly number[];
  readonly padded: boolean;
  /** The row's number in the file. */
  readonly row: number;
}

const OVERALL = 'svi_themes.rpl_themes';

const MISSING = /^-999(\.0*)?$/;
const isSviMissing: MissingRule = (text) => text === '' || MISSING.test(text);

/**
 * Reads one file. The ranks of a file with one state are taken to be ranks within that state, as in the agency's
 * single-state downloads. So are those of a file into which several such downloads, or one and part of another, have been
 * put together. They form a layer of their own; a national layer of the same year takes precedence over it.
 */
export async function readSvi(probe: TextProbe, product: string, year: number, sink: LoadSink): Promise<void> {
  const tally = sink.tally('svi', product, probe.file.label);
  const ranks: RanksByState = new Map();
  const pending: PendingRow[] = [];
  const start = (header: readonly string[]): RowTaker => {
    const columns = requireColumns<string>(probe.file.label, header, SVI_COLUMNS);
    const rankColumns = METRICS.map((path) => ({
      path,
      index: columns[path],
      column: tally.column(cellAt(header, columns[path])),
    }));
    const location = optionalColumn(probe.file.label, header, ['LOCATION']);
    const nameCounty = createCountyNamer(sink, COUNTY_NAME_TRUST.svi, countyOfTractName);
    return (cells) => {
      const text = cellAt(cells, columns.geoid);
      const field = readTractField(text);
      if (!field) return tally.reject(whyNoGeoid(text), { column: cellAt(header, columns.geoid), value: text });
      // Added before unwanted states are left out, so that a national file counts as national even if one state is loaded.
      addRank(ranks, stateFipsOf(field.geoid), parseDecimal(cellAt(cells, columns[OVERALL])));
      const name = cellAt(cells, location);
      if (isNamedOtherwise(field.geoid, name, sink)) return rejectNamedOtherwise(tally, field.geoid, 'LOCATION', name);
      if (!isWanted(field, sink, tally)) return;
      nameCounty(field, name);
      const values = rankColumns.map(({ path, index, column }) => {
        const rank = cellAt(cells, index);
        return checkRange(path, readNumber(rank, isSviMissing, column), column, rank);
      });
      pending.push({ ...field, values, row: tally.row });
    };
  };
  await readTable(probe, tally, start);
  const stateRanked = areWithinStates(ranks);
  const layer = new Layer(sviLayerKey(product, year, stateRanked), tally);
  for (const { geoid, values, padded, row } of pending) {
    tally.row = row;
    layer.add(geoid, values, padded);
  }
  tally.row = 0;
  if (stateRanked) for (const state of ranks.keys()) layer.stateRanked.add(state);
  sink.addLayer(layer);
}

function sviLayerKey(product: string, year: number, stateRanked: boolean): LayerKey {
  return {
    source: 'svi',
    table: stateRanked ? 'SVI (state-ranked)' : 'SVI',
    year,
    tractVintage: sviTractVintage(year),
    label: product,
    metrics: METRICS,
    preference: stateRanked ? 1 : 0,
  };
}
