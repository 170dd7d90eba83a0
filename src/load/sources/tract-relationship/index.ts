import type { Geoid } from '../../../core/geoid.js';
import { obtain } from '../../../core/obtain.js';
import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { cellAt, hasColumns, requireColumns } from '../columns.js';
import type { KnownHeader } from '../known-header.js';
import { parseDecimal } from '../number-cell.js';
import { type RowTaker, readTable } from '../read-table.js';
import type { Recognition } from '../recognition.js';
import { readTractField, takeTract, whyNoGeoid } from '../tract-field.js';

const OFFICIAL_NAME = /^tab20_tract20_tract10_.*\.txt$/i;
const PRODUCT = 'Census 2020–2010 tract relationship';

const COLUMNS = {
  geoid2020: ['GEOID_TRACT_20'],
  land2020Sqm: ['AREALAND_TRACT_20'],
  water2020Sqm: ['AREAWATER_TRACT_20'],
  geoid2010: ['GEOID_TRACT_10'],
  land2010Sqm: ['AREALAND_TRACT_10'],
  water2010Sqm: ['AREAWATER_TRACT_10'],
  landPartSqm: ['AREALAND_PART'],
  waterPartSqm: ['AREAWATER_PART'],
} as const;

export const TRACT_RELATIONSHIP_HEADER: KnownHeader = {
  signature: ['GEOID_TRACT_20', 'GEOID_TRACT_10', 'AREALAND_PART'],
  reads: COLUMNS,
  productOf: () => PRODUCT,
};

/** Recognizes the table of which 2010 tracts share ground with which 2020 tracts, and how much (in square metres). */
export function recognizeTractRelationship(probe: TextProbe): Recognition | undefined {
  const byHeader = hasColumns(probe.header, ...TRACT_RELATIONSHIP_HEADER.signature);
  if (!byHeader && !OFFICIAL_NAME.test(probe.file.name)) return undefined;
  return { source: 'tract-relationship', product: PRODUCT, read: (sink) => readRelationship(probe, sink) };
}

async function readRelationship(probe: TextProbe, sink: LoadSink): Promise<void> {
  const tally = sink.tally('tract-relationship', PRODUCT, probe.file.label);
  const start = (header: readonly string[]): RowTaker => {
    const columns = requireColumns(probe.file.label, header, COLUMNS);
    const [isSame2020, isSame2010] = [createAreaCheck(), createAreaCheck()];
    return (cells) => {
      const text2020 = cellAt(cells, columns.geoid2020);
      const text2010 = cellAt(cells, columns.geoid2010);
      // Ground that only one delineation has is in the state of that one's tract.
      const first = text2020 === '' ? columns.geoid2010 : columns.geoid2020;
      const tract2020 = takeTract(cellAt(cells, first), sink, tally, header[first]);
      if (!tract2020) return;
      if (text2020 === '' || text2010 === '') return tally.leave('ground outside the other delineation');
      const tract2010 = readTractField(text2010);
      if (!tract2010 || tract2010.padded || tract2020.padded) {
        const example = tract2020.padded
          ? { column: header[columns.geoid2020], value: text2020 }
          : { column: header[columns.geoid2010], value: text2010 };
        const isPadded = tract2010?.padded || tract2020.padded;
        return tally.reject(isPadded ? 'GEOID lost its leading zero' : whyNoGeoid(example.value), example);
      }
      const area = (key: Exclude<keyof typeof columns, 'geoid2010' | 'geoid2020'>): number =>
        parseDecimal(cellAt(cells, columns[key])) ?? Number.NaN;
      const areas = {
        landPartSqm: area('landPartSqm'),
        land2010Sqm: area('land2010Sqm'),
        land2020Sqm: area('land2020Sqm'),
        waterPartSqm: area('waterPartSqm'),
        water2010Sqm: area('water2010Sqm'),
        water2020Sqm: area('water2020Sqm'),
      };
      if (!Object.values(areas).every((sqm) => sqm >= 0)) {
        return tally.reject('area is not a number, or below 0', { geoid: tract2020.geoid });
      }
      const [geoid2020, geoid2010] = [tract2020.geoid, tract2010.geoid];
      if (
        areas.landPartSqm > Math.min(areas.land2010Sqm, areas.land2020Sqm) ||
        areas.waterPartSqm > Math.min(areas.water2010Sqm, areas.water2020Sqm)
      ) {
        return tally.reject('shares more ground than the tract has: a column may have shifted', { geoid: geoid2020 });
      }
      const isSame =
        isSame2020(geoid2020, areas.land2020Sqm, areas.water2020Sqm) &&
        isSame2010(geoid2010, areas.land2010Sqm, areas.water2010Sqm);
      if (!isSame) {
        return tally.reject('tract with another area than in an earlier row: a column may have shifted', {
          geoid: geoid2020,
        });
      }
      sink.addOverlap({ geoid2010, geoid2020, ...areas });
    };
  };
  await readTable(probe, tally, start);
}

/** Says whether a tract has the areas that it had in the rows before. */
function createAreaCheck(): (geoid: Geoid, landSqm: number, waterSqm: number) => boolean {
  const known = new Map<Geoid, string>();
  return (geoid, landSqm, waterSqm) => {
    const areas = `${landSqm} ${waterSqm}`;
    return obtain(known, geoid, () => areas) === areas;
  };
}
