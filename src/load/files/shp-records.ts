import { damagedFile, InputError, type InputFile } from '../input.js';
import { createChunkReader } from './chunk-reader.js';

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;
const FILE_CODE = 9994;
/** 16 million points; a record is read into memory as a whole. */
const RECORD_MAX_BYTES = 2 ** 28;

/** A kind of shape, with the type codes of its plain, Z and M forms, which store x and y in the same way. */
export interface ShapeKind {
  readonly plural: string;
  readonly codes: ReadonlySet<number>;
}

/** The shape type of a record without a shape. */
export const NULL_SHAPE = 0;

/**
 * Streams the records of a .shp file that holds shapes of one kind; `wanted` selects the record numbers (from 0) to
 * take. Returns how many records the file has. Format: ESRI Shapefile Technical Description, July 1998. Throws
 * `InputError` on a truncated or broken file.
 */
export async function readShpRecords(
  file: InputFile,
  kind: ShapeKind,
  wanted: (record: number) => boolean,
  onContent: (record: number, content: Buffer) => void,
): Promise<number> {
  const reader = createChunkReader(await file.open());
  try {
    const header = await reader.take(HEADER_BYTES);
    if (!header || header.readInt32BE(0) !== FILE_CODE) throw damagedFile(file.label, 'not a shapefile');
    const type = header.readInt32LE(32);
    if (!kind.codes.has(type))
      throw new InputError(`${file.label}: contains shapes of type ${type}, not ${kind.plural}`);
    let rest = header.readInt32BE(24) * 2 - HEADER_BYTES;
    let record = 0;
    for (; rest > 0; record++) {
      const recordHeader = await reader.take(RECORD_HEADER_BYTES);
      if (!recordHeader) throw damagedFile(file.label, `truncated at record ${record + 1}`);
      const sizeBytes = recordHeader.readInt32BE(4) * 2;
      if (sizeBytes < 4 || sizeBytes > Math.min(rest, RECORD_MAX_BYTES))
        throw damagedFile(file.label, `broken at record ${record + 1}`);
      const content = await reader.take(sizeBytes);
      if (!content) throw damagedFile(file.label, `truncated within record ${record + 1}`);
      if (wanted(record)) onContent(record, content);
      rest -= RECORD_HEADER_BYTES + sizeBytes;
    }
    await reader.drain();
    return record;
  } finally {
    reader.close();
  }
}

/** Throws `InputError` if a shapefile has more or fewer shapes than rows: which row belongs to which would be a guess. */
export function requireShapePerRow(label: string, shapeCount: number, rowCount: number): void {
  if (shapeCount !== rowCount) throw damagedFile(label, `contains ${shapeCount} shapes, but its .dbf ${rowCount} rows`);
}

/** A shape's parts, as ranges of its points. */
export interface ShapeParts {
  /** Offset of the points in the content; x and y take eight bytes each. */
  readonly pointsAt: number;
  readonly pointCount: number;
  /** The number of each part's first point; at the end one more entry, {@link pointCount}. */
  readonly firsts: readonly number[];
}

/** Bytes before the list of parts: type, box, number of parts, number of points. */
const HEAD_BYTES = 44;

/** Locates the parts in a polygon's or polyline's content; undefined if its counts and offsets are impossible. */
export function readParts(content: Buffer): ShapeParts | undefined {
  if (content.byteLength < HEAD_BYTES) return undefined;
  const partCount = content.readInt32LE(36);
  const pointCount = content.readInt32LE(40);
  const pointsAt = HEAD_BYTES + partCount * 4;
  if (partCount < 1 || pointCount < 1 || pointsAt + pointCount * 16 > content.byteLength) return undefined;
  const firsts = Array.from({ length: partCount }, (_, part) => content.readInt32LE(HEAD_BYTES + part * 4));
  firsts.push(pointCount);
  const isAscending = firsts.every((first, part) => first >= 0 && first < (firsts[part + 1] ?? pointCount + 1));
  return isAscending ? { pointsAt, pointCount, firsts } : undefined;
}
