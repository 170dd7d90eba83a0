import { haveOtherLetters, isOneSlipAway } from '../../core/slips.js';
import type { ByteSource } from '../byte-source.js';
import { type ContainerReader, openContainer } from '../container-reader.js';
import { requireAscending } from '../require-ascending.js';
import { openTextTable } from '../text-table.js';
import { findInSlots } from './key-hash.js';
import { decodeLine, decodeLineEnds, type LineEnds } from './line-codec.js';
import { ADDRESSES_KIND, type AddressShard } from './shard.js';
import { rowsSpelledAlike } from './spelling-index.js';
import { openZipTable } from './zip-table.js';

/** Opens a state's address ranges and checks header and section table. Throws FormatError. */
export function openAddressShard(source: ByteSource): AddressShard {
  return readAddressShard(openContainer(source, ADDRESSES_KIND));
}

/** Reads a state's address ranges from an opened container. */
export function readAddressShard(container: ContainerReader): AddressShard {
  const [state = 0] = container.uint8('state', 1);
  const nameRuns = container.uint32('name/first-run');
  const slots = container.uint32('name/slot');
  const keys = openTextTable(container, 'name/key', nameRuns.length - 1);
  const hashes = container.uint32('spelling/hash');
  const spelling = { hashes, rows: container.uint32('spelling/name', hashes.length) };
  const streetDirections = container.uint8('street/direction');
  const streetCount = streetDirections.length;
  const names = openTextTable(container, 'street/name', streetCount);
  const typeOf = container.uint8('street/type', streetCount);
  const types = allTexts(container, 'type');
  const prefixes = allTexts(container, 'prefix');
  const runZips = container.uint32('run/zip');
  const runStreets = container.uint32('run/street', runZips.length);
  const runPrefixes = container.uint16('run/prefix', runZips.length);
  const runRanges = container.uint32('run/first-range', runZips.length + 1);
  const rangeEdges = container.uint32('range/edge');
  const rangeNumbers = container.int32('range/number', rangeEdges.length * 2);
  const rangeTracts = container.uint32('range/tract', rangeEdges.length);
  const edgeOffsets = container.uint32('edge/offset');
  const lines = container.bytes('edge/line');
  // The offsets of edges are not checked: there are many times more of them, and they are read one at a time.
  requireAscending(container, 'name/first-run', nameRuns, runZips.length);
  requireAscending(container, 'run/first-range', runRanges, rangeEdges.length);
  const lineEnd = (edge: number): number => Math.min(edgeOffsets[edge + 1] ?? 0, lines.length);
  const line = (edge: number): Int32Array => decodeLine(lines, edgeOffsets[edge] ?? 0, lineEnd(edge));
  const lineEnds = (edge: number): LineEnds => decodeLineEnds(lines, edgeOffsets[edge] ?? 0, lineEnd(edge));

  return {
    container,
    stateFips: String(state).padStart(2, '0'),
    rangeCount: rangeEdges.length,
    streetCount,
    findName: (key) => findInSlots(slots, key, (row) => keys.has(row, key)),
    namesSpelledLike: (key) => {
      const isMeant = (name: string): boolean => isOneSlipAway(key, name) && !haveOtherLetters(key, name);
      return [...rowsSpelledAlike(spelling, key)].filter((row) => isMeant(keys.text(row))).sort((a, b) => a - b);
    },
    nameKey: keys.text,
    nameRuns,
    runZips,
    runStreets,
    runPrefixes,
    runRanges,
    prefixes,
    rangeNumbers,
    rangeTracts,
    rangeEdges,
    streetName: names.text,
    streetDirections,
    streetType: (street) => types[typeOf[street] ?? 0] ?? '',
    line,
    lineEnds,
    zips: openZipTable(container),
  };
}

function allTexts(container: ContainerReader, name: string): string[] {
  const count = container.uint32(`${name}/offset`).length - 1;
  const table = openTextTable(container, name, count);
  return Array.from({ length: count }, (_, row) => table.text(row));
}
