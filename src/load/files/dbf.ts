import { isUtf8 } from 'node:buffer';
import { damagedFile, type InputFile } from '../input.js';
import { type ChunkReader, createChunkReader } from './chunk-reader.js';
import { decodeCell } from './text-encoding.js';

/** A column of a dBASE III table. */
export interface DbfField {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** The column with this name, in capitals; undefined if there is none. */
export const findField = (fields: readonly DbfField[], name: string): DbfField | undefined =>
  fields.find((field) => field.name.toUpperCase() === name);

/** What a table's header says. */
interface DbfLayout {
  readonly fields: readonly DbfField[];
  readonly rowCount: number;
}

/** A dBASE table's rows, all in memory: a state's attributes are a few megabytes. */
export interface DbfTable extends DbfLayout {
  /** A cell's text without padding. */
  cell(row: number, field: DbfField): string;
  isDeleted(row: number): boolean;
  /** Whether the row is not UTF-8; its cells that are not are decoded as Windows-1252. */
  isInOtherEncoding(row: number): boolean;
}

/** A header that announces more is refused: a few megabytes of zeros, deflated, would fill the memory with its rows. */
const ROWS_MAX_BYTES = 2 ** 30;

/**
 * Reads a shapefile's attributes. The Census Bureau writes UTF-8, up to 2014 Latin-1.
 * Format: https://www.dbase.com/Knowledgebase/INT/db7_file_fmt.htm (level 3).
 * Throws `InputError` on a truncated or broken file.
 */
export async function readDbf(file: InputFile): Promise<DbfTable> {
  const reader = createChunkReader(await file.open());
  try {
    const { fields, rowCount, rowBytes } = await readHeader(reader, file.label);
    const announced = `the header announces ${rowCount} rows of ${rowBytes} bytes`;
    if (rowCount * rowBytes > ROWS_MAX_BYTES) throw damagedFile(file.label, `${announced}, more than 1 GiB`);
    const rows = await reader.take(rowCount * rowBytes);
    if (!rows) throw damagedFile(file.label, `truncated: ${announced}`);
    await reader.drain();
    const isAllUtf8 = isUtf8(rows);
    return {
      fields,
      rowCount,
      cell: (row, field) => {
        const start = row * rowBytes + field.offset;
        const end = start + field.length;
        return withoutPadding(isAllUtf8 ? rows.toString('utf8', start, end) : decodeCell(rows.subarray(start, end)));
      },
      isDeleted: (row) => rows[row * rowBytes] === 0x2a,
      isInOtherEncoding: (row) => !isAllUtf8 && !isUtf8(rows.subarray(row * rowBytes, (row + 1) * rowBytes)),
    };
  } finally {
    reader.close();
  }
}

/** A table's header, and its first row. */
export interface DbfHeader extends DbfLayout {
  /** A cell of the first row, without padding; empty if there is no whole row. */
  firstRow(field: DbfField): string;
}

/** Reads only a table's header and first row. Throws `InputError` if it is truncated or broken. */
export async function readDbfHeader(file: InputFile): Promise<DbfHeader> {
  const reader = createChunkReader(await file.open());
  try {
    const { fields, rowCount, rowBytes } = await readHeader(reader, file.label);
    const row = rowCount > 0 ? await reader.take(rowBytes) : undefined;
    return {
      fields,
      rowCount,
      firstRow: ({ offset, length }) => withoutPadding(row?.toString('utf8', offset, offset + length) ?? ''),
    };
  } finally {
    reader.close();
  }
}

async function readHeader(reader: ChunkReader, label: string): Promise<DbfLayout & { readonly rowBytes: number }> {
  const head = await reader.take(32);
  if (!head) throw damagedFile(label, 'truncated within its header');
  const rowCount = head.readUInt32LE(4);
  const headerBytes = head.readUInt16LE(8);
  const rowBytes = head.readUInt16LE(10);
  const descriptors = headerBytes > 32 ? await reader.take(headerBytes - 32) : undefined;
  if (!descriptors || rowBytes < 2) throw damagedFile(label, 'not a dBASE table');
  return { fields: readFields(descriptors, rowBytes, label), rowCount, rowBytes };
}

const DESCRIPTOR_BYTES = 32;
const HEADER_END = 0x0d;

function readFields(descriptors: Buffer, rowBytes: number, label: string): DbfField[] {
  const fields: DbfField[] = [];
  // A row begins with its deletion mark, one byte.
  let offset = 1;
  for (let at = 0; at + DESCRIPTOR_BYTES <= descriptors.byteLength; at += DESCRIPTOR_BYTES) {
    if (descriptors[at] === HEADER_END) break;
    const name = withoutPadding(descriptors.toString('latin1', at, at + 11));
    const length = descriptors.readUInt8(at + 16);
    fields.push({ name, offset, length });
    offset += length;
  }
  if (offset !== rowBytes) throw damagedFile(label, `its fields take ${offset} bytes, its rows ${rowBytes}`);
  return fields;
}

/** A text up to its padding: blanks, or whatever follows a NUL byte, which some programs write in their place. */
function withoutPadding(text: string): string {
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
