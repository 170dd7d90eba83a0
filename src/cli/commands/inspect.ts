import { generationPath, listGenerations, readCurrent } from '../../catalog/generations.js';
import { parseGeoid } from '../../core/geoid.js';
import { findDamage, openDataset } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { findRow } from '../../query/rows.js';
import { CliError } from '../cli-error.js';
import { explainMissingYears } from '../inspect/explain-years.js';
import { formatInspection } from '../inspect/format-inspection.js';
import { inspectDataset } from '../inspect/inspection.js';
import { parseOptions } from '../options.js';

const USAGE = `Usage: tract-context inspect <datasets directory> [options]

  --generation <hash>   another generation than the live one
  --geoid <11 digits>   print one tract's record
  --json                print everything as JSON`;

/** `inspect`: what a dataset holds; exits 1 where a checksum differs. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(
    args,
    { generation: { type: 'string' }, geoid: { type: 'string' }, json: { type: 'boolean' } },
    USAGE,
    true,
  );
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [datasetsDir] = positionals;
  if (datasetsDir === undefined || positionals.length > 1)
    throw new CliError(`one datasets directory is needed\n\n${USAGE}`, 2);
  const generation = values.generation ?? readCurrent(datasetsDir);
  if (generation === undefined) throw new CliError(`${datasetsDir}: no dataset is published here`, 1);
  if (!listGenerations(datasetsDir).includes(generation)) {
    throw new CliError(`${datasetsDir}: there is no generation ${generation} here`, 1);
  }
  try {
    const directory = generationPath(datasetsDir, generation);
    // Before anything is read out of the files: what a damaged one holds could be anything.
    const damage = findDamage(directory);
    if (damage.length > 0) throw new CliError(damage.map((error) => `damaged: ${error.message}`).join('\n'), 1);
    if (values.geoid !== undefined) return printRecord(directory, values.geoid);
    const generations = { current: readCurrent(datasetsDir), all: listGenerations(datasetsDir) };
    const inspection = inspectDataset(directory, generations, Date.now());
    console.log(values.json ? JSON.stringify(inspection, null, 2) : formatInspection(inspection).join('\n'));
    return 0;
  } catch (error) {
    if (error instanceof FormatError) throw new CliError(error.message, 1);
    throw error;
  }
}

function printRecord(directory: string, text: string): number {
  const geoid = parseGeoid(text);
  if (!geoid) throw new CliError(`--geoid: ${text} is no GEOID (11 digits)`, 2);
  const { tracts } = openDataset(directory);
  const row = findRow(tracts, geoid);
  if (row < 0) throw new CliError(`tract ${geoid} is not in this dataset`, 1);
  console.log(JSON.stringify(JSON.parse(tracts.records.text(row)), null, 2));
  // Apart from the record, so that programs can read that alone.
  const missing = explainMissingYears(tracts, row);
  if (missing.length > 0) console.error(['Years left out of its trends:', ...missing].join('\n  '));
  return 0;
}
