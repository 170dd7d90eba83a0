import { basename } from 'node:path';
import { readDelimited } from '../files/delimited.js';
import { zipMembers } from '../files/input-file.js';
import { probeText } from '../files/probe.js';
import { InputError } from '../input.js';
import { cellAt, requireColumns } from '../sources/columns.js';

/**
 * The five-digit FIPS codes of the states' counties, sorted, as listed by a gazetteer of tracts; Connecticut's are those of
 * the gazetteer's year. Throws `InputError` if the gazetteer cannot be read.
 */
export async function countiesOf(gazetteerPath: string, states: readonly string[]): Promise<string[]> {
  const [table] = await zipMembers(gazetteerPath, basename(gazetteerPath));
  if (!table) throw new InputError(`${gazetteerPath}: the archive is empty`);
  const { delimiter } = await probeText(table);
  const counties = new Set<string>();
  await readDelimited(table, {
    delimiter,
    start: (header) => {
      const { geoid } = requireColumns(table.label, header, { geoid: ['GEOID'] });
      return (cells) => counties.add(cellAt(cells, geoid).slice(0, 5));
    },
  });
  return [...counties].filter((county) => /^\d{5}$/.test(county) && states.includes(county.slice(0, 2))).sort();
}
