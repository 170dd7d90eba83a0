import { readDelimited } from '../../files/delimited.js';
import type { TextProbe } from '../../files/probe.js';
import { NOT_UTF_8 } from '../../files/text-encoding.js';
import { InputError } from '../../input.js';
import { describeExample, type Example, keepExample } from '../../intake/example.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { cellAt, optionalColumn, requireColumns } from '../columns.js';
import { noRow } from '../read-table.js';
import { createRowCheck, type RowCheck } from '../row-check.js';
import { isSpoiledGeoid, whyNoGeoid } from '../tract-field.js';
import { type AcsRows, createAcsRows } from './acs-rows.js';
import { acsHeader } from './columns.js';
import { geoIdKind, geoidOfGeoId, refusalOfGeoId } from './geo-id.js';
import { type AcsVintage, dollarsContradiction } from './vintage.js';

/** The first cell of the second header row in data.census.gov files; `id` in downloads up to 2021. */
const LABEL_ROW_STARTS: readonly string[] = ['Geography', 'id'];

/**
 * Reads a data.census.gov CSV, with or without its row of labels, or a table-based summary file. Throws `InputError` if
 * columns are missing, the labels are of another vintage, a second header is another one, or no row is a tract; `product` names
 * the table in that error.
 */
export async function readAcsTable(
  probe: TextProbe,
  vintage: AcsVintage,
  product: string,
  sink: LoadSink,
): Promise<void> {
  const { label } = probe.file;
  let reader: TableReader | undefined;
  await readDelimited(probe.file, {
    delimiter: probe.delimiter,
    start: (names) => {
      const table = new TableReader(label, names, vintage, sink);
      reader = table;
      return (cells, row) => table.row(cells, row);
    },
    onOtherEncoding: () => sink.tally('acs', product, label).note(NOT_UTF_8),
  });
  if (!reader) throw noRow(label);
  reader.finish(product);
}

class TableReader {
  private readonly check: RowCheck<readonly string[]>;
  private readonly geoIdColumn: number;
  private readonly nameColumn: number | undefined;
  /** Undefined until the second row shows whether the file has labels. */
  private rows: AcsRows | undefined;
  private dataRows = 0;
  private tracts = 0;
  private otherGeoId = '';
  /** Where the first text is that is no GEO_ID. */
  private firstFault: Example | undefined;

  constructor(
    private readonly label: string,
    private readonly names: readonly string[],
    private readonly vintage: AcsVintage,
    private readonly sink: LoadSink,
  ) {
    this.check = createRowCheck(label, names);
    this.geoIdColumn = requireColumns(label, names, { geoId: ['GEO_ID'] }).geoId;
    this.nameColumn = optionalColumn(label, names, ['NAME']);
  }

  row(cells: readonly string[], row: number): void {
    const fault = this.check(cells, row);
    const geoId = cellAt(cells, this.geoIdColumn);
    if (row === 2 && LABEL_ROW_STARTS.includes(geoId)) {
      const contradiction = dollarsContradiction(cells, this.vintage);
      if (contradiction !== undefined) throw new InputError(`${this.label}: ${contradiction}`);
      this.rows = this.start(cells);
      return;
    }
    this.rows ??= this.start([]);
    this.rows.at(row);
    this.dataRows++;
    const kind = geoIdKind(geoId);
    if (kind === 'tract') this.tracts++;
    const example = { column: this.names[this.geoIdColumn], value: geoId };
    if (kind === 'no GEO_ID') this.firstFault ??= keepExample({ row, ...example });
    if (fault !== undefined) this.rows.reject(fault);
    else if (kind === 'tract') this.rows.add(geoidOfGeoId(geoId), cellAt(cells, this.nameColumn), cells);
    else if (kind === 'other geography') {
      this.otherGeoId = geoId;
      this.rows.leave('not a tract');
    } else this.rows.reject(whyNoGeoid(geoId), example);
  }

  finish(product: string): void {
    if (this.dataRows === 0) throw noRow(this.label);
    if (this.tracts === 0) throw new InputError(`${this.label} (${product}): ${this.whyNoTract()}`);
    this.rows?.finish();
  }

  private whyNoTract(): string {
    const { otherGeoId, firstFault = {} } = this;
    const { value = '' } = firstFault;
    if (otherGeoId !== '' && !isSpoiledGeoid(value)) return refusalOfGeoId(otherGeoId);
    const why = whyNoGeoid(value, 'no row has a GEO_ID');
    return `it has no census tracts: ${why}, the first: ${describeExample(firstFault)}`;
  }

  private start(labels: readonly string[]): AcsRows {
    const header = acsHeader(this.names, labels);
    return createAcsRows({ label: this.label, header, vintage: this.vintage, partial: false }, this.sink);
  }
}
