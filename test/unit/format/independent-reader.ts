/**
 * A reader of compiled files written from schemas/FORMAT.md alone: it imports nothing of the program and no FlatBuffers
 * library, so that it agrees with the writer only if the page is right.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HEADER_AT = 64;

/** One section: where its bytes are and what they are. */
export interface RawSection {
  readonly name: string;
  readonly element: number;
  readonly sizeBytes: number;
  readonly xxh3: bigint;
  readonly data: DataView;
}

export interface RawFile {
  readonly kind: string;
  readonly headerXxh3: bigint;
  readonly header: Uint8Array;
  readonly sections: readonly RawSection[];
  /** A section by its name. Throws where there is none. */
  section(name: string): RawSection;
}

/** A position within a FlatBuffer. */
interface Table {
  readonly data: DataView;
  readonly at: number;
}

/** Reads `CURRENT`; gives the live generation's directory. */
export function liveDirectory(datasetsDir: string): string {
  const name = readFileSync(join(datasetsDir, 'CURRENT'), 'utf8').trim();
  if (!/^[0-9a-f]{32}$/.test(name)) throw new Error(`CURRENT names ${name}`);
  return join(datasetsDir, 'generations', name);
}

/** Reads a container's preamble and table of contents. */
export function readRawFile(path: string): RawFile {
  const file = readFileSync(path);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (ascii(view, 0, 8) !== 'TRACTCTX') throw new Error('no magic');
  if (view.getUint32(8, true) !== 2) throw new Error('another version');
  if (view.getBigUint64(16, true) !== BigInt(file.byteLength)) throw new Error('another length');
  const header = file.subarray(HEADER_AT, HEADER_AT + view.getUint32(12, true));
  const root = rootTable(new DataView(header.buffer, header.byteOffset, header.byteLength), 'TCTX');
  const sections = tables(root, 1).map((entry): RawSection => {
    const offset = Number(ulong(entry, 2));
    const sizeBytes = Number(ulong(entry, 3));
    const data = new DataView(file.buffer, file.byteOffset + offset, sizeBytes);
    return { name: text(entry, 0), element: ubyte(entry, 1), sizeBytes, xxh3: ulong(entry, 4), data };
  });
  return {
    kind: text(root, 0),
    headerXxh3: view.getBigUint64(24, true),
    header,
    sections,
    section: (name) => {
      const found = sections.find((section) => section.name === name);
      if (!found) throw new Error(`no section ${name}`);
      return found;
    },
  };
}

const READERS = [
  { bytes: 1, read: (data: DataView, at: number) => data.getUint8(at) },
  { bytes: 1, read: (data: DataView, at: number) => data.getUint8(at) },
  { bytes: 2, read: (data: DataView, at: number) => data.getUint16(at, true) },
  { bytes: 4, read: (data: DataView, at: number) => data.getUint32(at, true) },
  { bytes: 4, read: (data: DataView, at: number) => data.getInt32(at, true) },
  { bytes: 8, read: (data: DataView, at: number) => data.getFloat64(at, true) },
];

/** All elements of a section as numbers. */
export function elements({ data, element }: RawSection): number[] {
  const reader = READERS[element];
  if (!reader) throw new Error(`element ${element}`);
  return Array.from({ length: data.byteLength / reader.bytes }, (_, index) => reader.read(data, index * reader.bytes));
}

/** All rows of a text table. */
export function texts(file: RawFile, name: string): string[] {
  const offsets = elements(file.section(`${name}/offset`));
  const { data } = file.section(`${name}/bytes`);
  return offsets.slice(1).map((end, row) => {
    const start = offsets[row] ?? 0;
    return new TextDecoder().decode(new Uint8Array(data.buffer, data.byteOffset + start, end - start));
  });
}

/** States' FIPS codes with their tract counts, metrics, and whether the dataset is synthetic. */
export function readDescription(file: RawFile): { states: [string, number][]; metrics: string[]; synthetic: boolean } {
  const root = rootTable(file.section('description').data, 'TCDS');
  return {
    synthetic: ubyte(root, 0) === 1,
    states: tables(root, 1).map((state) => [text(state, 0), uint(state, 3)]),
    metrics: vector(root, 3).map((at) => textAt(root.data, at)),
  };
}

/** Ids and coordinates of the KD-tree over the internal points. */
export function readKdTree({ data }: RawSection): { ids: number[]; points: [number, number][] } {
  if (data.getUint8(0) !== 0xdb || data.getUint8(1) !== 0x18) throw new Error('no kdbush v1 of doubles');
  const count = data.getUint32(4, true);
  const wide = count >= 65_536;
  const idAt = (index: number): number =>
    wide ? data.getUint32(8 + index * 4, true) : data.getUint16(8 + index * 2, true);
  const coordinatesAt = Math.ceil((8 + count * (wide ? 4 : 2)) / 8) * 8;
  const indexes = Array.from({ length: count }, (_, index) => index);
  return {
    ids: indexes.map(idAt),
    points: indexes.map((index) => {
      const at = coordinatesAt + index * 16;
      return [data.getFloat64(at, true), data.getFloat64(at + 8, true)];
    }),
  };
}

/** Parts whose boxes hold a point, by a walk through the R-tree from its root. */
export function searchRTree({ data }: RawSection, x: number, y: number): number[] {
  if (data.getUint8(0) !== 0xfb || data.getUint8(1) !== 0x35) throw new Error('no flatbush v3 of int32');
  const itemCount = data.getUint32(4, true);
  const levelEnds = [itemCount];
  for (let nodes = itemCount, end = itemCount; nodes > 1 || levelEnds.length < 2; ) {
    nodes = Math.ceil(nodes / 16);
    end += nodes;
    levelEnds.push(end);
  }
  const nodeCount = levelEnds.at(-1) ?? 0;
  const indexAt = (node: number): number =>
    nodeCount < 16_384
      ? data.getUint16(8 + nodeCount * 16 + node * 2, true)
      : data.getUint32(8 + nodeCount * 16 + node * 4, true);
  const side = (node: number, at: number): number => data.getInt32(8 + node * 16 + at * 4, true);
  const found: number[] = [];
  const visit = (node: number): void => {
    if (x < side(node, 0) || y < side(node, 1) || x > side(node, 2) || y > side(node, 3)) return;
    if (node < itemCount) {
      found.push(indexAt(node));
      return;
    }
    const first = indexAt(node) / 4;
    const end = Math.min(first + 16, levelEnds.find((levelEnd) => levelEnd > first) ?? 0);
    for (let child = first; child < end; child++) visit(child);
  };
  visit(nodeCount - 1);
  return found.sort((a, b) => a - b);
}

/** What the grid says at a point in units. */
export function gridValue(file: RawFile, x: number, y: number): number {
  const at = (name: string, index: number): number => {
    const { data, element } = file.section(name);
    const reader = READERS[element];
    if (!reader) throw new Error(`element ${element}`);
    return reader.read(data, index * reader.bytes);
  };
  const east = x + 1_800_000_000;
  const north = y + 900_000_000;
  const tile = at('cell/tile', (north >>> 22) * 859 + (east >>> 22));
  if (tile < 0x8000_0000) return tile;
  const block = tile - 0x8000_0000;
  const level = at('cell/block-level', block);
  const shift = 22 - level;
  const column = (east & 0x3f_ffff) >>> shift;
  const row = (north & 0x3f_ffff) >>> shift;
  return at('cell/value', at('cell/block-first', block) + (row << level) + column);
}

function rootTable(data: DataView, identifier: string): Table {
  if (ascii(data, 4, 4) !== identifier) throw new Error(`no identifier ${identifier}`);
  return { data, at: data.getUint32(0, true) };
}

/** The position of a table's field, or undefined where it is absent. */
function fieldAt({ data, at }: Table, field: number): number | undefined {
  const vtable = at - data.getInt32(at, true);
  const entry = 4 + field * 2;
  const offset = entry < data.getUint16(vtable, true) ? data.getUint16(vtable + entry, true) : 0;
  return offset === 0 ? undefined : at + offset;
}

/** The position that a field of a string, vector or table points at. */
function target(table: Table, field: number): number {
  const at = fieldAt(table, field);
  if (at === undefined) throw new Error(`field ${field} is absent`);
  return at + table.data.getUint32(at, true);
}

/** Positions of what a vector of strings or tables points at. */
function vector(table: Table, field: number): number[] {
  const start = target(table, field);
  return Array.from({ length: table.data.getUint32(start, true) }, (_, index) => {
    const at = start + 4 + index * 4;
    return at + table.data.getUint32(at, true);
  });
}

const tables = (table: Table, field: number): Table[] => vector(table, field).map((at) => ({ data: table.data, at }));

const text = (table: Table, field: number): string => textAt(table.data, target(table, field));

function textAt(data: DataView, at: number): string {
  return new TextDecoder().decode(new Uint8Array(data.buffer, data.byteOffset + at + 4, data.getUint32(at, true)));
}

function ubyte(table: Table, field: number): number {
  const at = fieldAt(table, field);
  return at === undefined ? 0 : table.data.getUint8(at);
}

function uint(table: Table, field: number): number {
  const at = fieldAt(table, field);
  return at === undefined ? 0 : table.data.getUint32(at, true);
}

function ulong(table: Table, field: number): bigint {
  const at = fieldAt(table, field);
  return at === undefined ? 0n : table.data.getBigUint64(at, true);
}

function ascii(data: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => data.getUint8(at + index)));
}
