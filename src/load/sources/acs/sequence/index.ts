import type { TextProbe } from '../../../files/probe.js';
import { findColumn } from '../../columns.js';
import { yearOfFile } from '../../file-year.js';
import { READ_TURNS } from '../../read-turns.js';
import type { Recognition } from '../../recognition.js';
import { type AcsVintage, acsPeriod, isPublished, refusalOfVintage, vintageOfYear } from '../vintage.js';
import { LOOKUP_COLUMNS, readLookup } from './lookup.js';
import { readSequence, sequenceHead } from './read-sequence.js';

const SOURCE = 'acs';
/** `ACS_1yr_Seq_Table_Number_Lookup.txt`, `ACS_2020_1_Year_Seq_Table_Number_Lookup.txt`: they lie beside that of five years. */
const OF_OTHER_SPAN = /(?<!\d)[13][-_ ]?y(?:ea)?r/i;
const GEOGRAPHY_NAME = /^g(20\d\d)5([a-z]{2})\.csv$/i;

/**
 * Recognizes the sequence-based summary file, in which ACS was published up to 2020: files of estimates by record number,
 * several tables side by side; one geography file per state, which maps record numbers to tracts; and one lookup per year,
 * which maps tables to columns.
 */
export function recognizeSequences(probe: TextProbe): Recognition | undefined {
  return recognizeLookup(probe) ?? recognizeGeography(probe) ?? recognizeEstimates(probe);
}

function recognizeLookup({ file, header }: TextProbe): Recognition | undefined {
  if (Object.values(LOOKUP_COLUMNS).some((names) => findColumn(header, names) === undefined)) return undefined;
  if (OF_OTHER_SPAN.test(file.name)) return undefined;
  const year = yearOfFile(file, isPublished);
  if (year === undefined) {
    const why = 'neither its name nor its folder gives its year; put it into a folder named after its year';
    return { source: SOURCE, product: 'ACS sequence lookup', refuse: why };
  }
  const vintage = vintageOfYear(year);
  return {
    source: SOURCE,
    product: `${acsPeriod(vintage)} sequence lookup`,
    turn: READ_TURNS.keys,
    read: async (sink) => sink.acsSequences.addLookup(year, await readLookup(file, vintage), file.label),
  };
}

function recognizeGeography({ file, header: [firstCell] }: TextProbe): Recognition | undefined {
  const [, year, state] = GEOGRAPHY_NAME.exec(file.name) ?? [];
  if (year === undefined || state === undefined || firstCell !== 'ACSSF') return undefined;
  return {
    source: SOURCE,
    product: `${acsPeriod(vintageOfYear(Number(year)))} geography files`,
    turn: READ_TURNS.keys,
    read: async (sink) => sink.acsSequences.addGeography(Number(year), state.toLowerCase(), file),
  };
}

function recognizeEstimates({ file, header }: TextProbe): Recognition | undefined {
  const head = sequenceHead(header);
  if (!head) return undefined;
  if (head.span !== 5) {
    const why = `${head.span}-year estimates are not published for census tracts`;
    return { source: SOURCE, product: `ACS ${head.span}-year ${head.year}`, refuse: why };
  }
  const vintage: AcsVintage = vintageOfYear(head.year);
  if (head.kind === 'm') {
    // Margins of error come in the same archive as the estimates.
    const product = `${acsPeriod(vintage)} margins of error (not used)`;
    return { source: SOURCE, product, read: async () => {} };
  }
  const product = `${acsPeriod(vintage)} sequence files`;
  const why = refusalOfVintage(vintage);
  if (why !== undefined) return { source: SOURCE, product, refuse: why };
  return { source: SOURCE, product, read: (sink) => readSequence(file, head, vintage, product, sink) };
}
