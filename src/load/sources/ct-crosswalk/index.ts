import { countyFipsOf, type Geoid, tractCodeOf } from '../../../core/geoid.js';
import type { TextProbe } from '../../files/probe.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { CONNECTICUT } from '../../join/known-tracts.js';
import { cellAt, hasColumns, optionalColumn, requireColumns } from '../columns.js';
import { COUNTY_NAME_TRUST, createCountyNamer } from '../county-names.js';
import type { KnownHeader } from '../known-header.js';
import { type RowTaker, readTable } from '../read-table.js';
import type { Recognition } from '../recognition.js';
import { readTractField, whyNoGeoid } from '../tract-field.js';

/** The counties' codes are odd numbers, the planning regions' multiples of ten. */
const OLD_COUNTIES = new Set(['001', '003', '005', '007', '009', '011', '013', '015']);
const PLANNING_REGIONS = new Set(['110', '120', '130', '140', '150', '160', '170', '180', '190']);
const PRODUCT = 'Connecticut 2022 tract crosswalk';
const OFFICIAL_NAME = /^(ct[_-]?2022.?tract.?crosswalk|2022tractcrosswalk).*\.csv$/i;

/** Editions of the table differ only in the case of these names. */
const FROM = ['tract_fips_2020'];
const TO = ['tract_fips_2022'];
const REGION_FIPS = ['ce_fips_2022'];
const REGION_NAME = ['ce_name_2022'];

export const CT_CROSSWALK_HEADER: KnownHeader = {
  signature: [...FROM, ...TO],
  reads: { regionFips: REGION_FIPS, regionName: REGION_NAME },
  productOf: () => PRODUCT,
};

/** Recognizes the crosswalk of Connecticut's tracts from the counties of 2020 to the planning regions of 2022. */
export function recognizeCtCrosswalk(probe: TextProbe): Recognition | undefined {
  const byHeader = hasColumns(probe.header, ...CT_CROSSWALK_HEADER.signature);
  if (!byHeader && !OFFICIAL_NAME.test(probe.file.name)) return undefined;
  return { source: 'ct-crosswalk', product: PRODUCT, read: (sink) => readCrosswalk(probe, sink) };
}

async function readCrosswalk(probe: TextProbe, sink: LoadSink): Promise<void> {
  const tally = sink.tally('ct-crosswalk', PRODUCT, probe.file.label);
  const nameRegion = createCountyNamer(sink, COUNTY_NAME_TRUST.acs);
  const start = (header: readonly string[]): RowTaker => {
    const columns = requireColumns(probe.file.label, header, { from: FROM, to: TO });
    const regionFips = optionalColumn(probe.file.label, header, REGION_FIPS);
    const regionName = optionalColumn(probe.file.label, header, REGION_NAME);
    const moves = new Map<Geoid, Geoid>();
    return (cells) => {
      const [fromText, toText] = [cellAt(cells, columns.from), cellAt(cells, columns.to)];
      const from = connecticutGeoid(fromText);
      const to = connecticutGeoid(toText);
      if (!from || !to) {
        const example = from
          ? { column: header[columns.to], value: toText }
          : { column: header[columns.from], value: fromText };
        return tally.reject(whyNoGeoid(example.value, 'not a Connecticut tract GEOID'), example);
      }
      if (!OLD_COUNTIES.has(countyFipsOf(from)))
        return tally.reject('the 2020 tract is in none of the eight counties', { geoid: from });
      if (!PLANNING_REGIONS.has(countyFipsOf(to)))
        return tally.reject('the 2022 tract is in none of the nine planning regions', { geoid: to });
      // The regions kept the tracts and their codes, so different codes reveal a column that slipped by a row.
      if (tractCodeOf(from) !== tractCodeOf(to))
        return tally.reject('the two have different tract codes', { geoid: from });
      const reason = sink.leaveOut(CONNECTICUT);
      if (reason) return tally.leave(reason);
      const earlier = moves.get(from);
      if (earlier)
        return earlier === to ? tally.leave('duplicate row') : tally.reject('duplicate GEOID', { geoid: from });
      moves.set(from, to);
      sink.addConnecticutMove(from, to);
      const fips = cellAt(cells, regionFips).padStart(5, '0');
      if (to.startsWith(fips)) nameRegion({ geoid: to, padded: false }, cellAt(cells, regionName));
    };
  };
  await readTable(probe, tally, start);
}

/** Reads a Connecticut tract's GEOID; a lost leading zero can be put back safely, because the file is about one state. */
function connecticutGeoid(text: string): Geoid | undefined {
  const geoid = readTractField(text)?.geoid;
  return geoid?.startsWith(CONNECTICUT) ? geoid : undefined;
}
