import { GrowingArray } from '../../core/growing-array.js';
import { obtain } from '../../core/obtain.js';
import type { Side } from '../../core/streets/street-line.js';
import { parseStreetText } from '../../core/streets/street-name.js';
import { encodeLine } from './line-codec.js';
import { packEdge } from './packed-columns.js';
import type { RangeColumns } from './shard-content.js';
import { createZipCollector, type ZipCollector, type ZipContent } from './zip-content.js';

/** A range of house numbers to write. */
export interface NewRange {
  /** As published; at least one word of letters or digits. */
  readonly street: string;
  /** Five digits; empty where unknown. */
  readonly zip: string;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  readonly mixed: boolean;
  readonly side: Side;
  /** The edge's number, from {@link AddressShardBuilder.addEdge}. */
  readonly edge: number;
  /** The row of the tract on this side, or `NO_TRACT`. */
  readonly tract: number;
}

/** The content of one state's file. */
export interface ShardContent {
  readonly stateFips: string;
  readonly streets: readonly string[];
  readonly prefixes: readonly string[];
  readonly ranges: RangeColumns;
  /** Where each edge's line begins in {@link edgeBytes}, with one more entry for the end. */
  readonly edgeOffsets: Uint32Array;
  readonly edgeBytes: Uint8Array;
  readonly zips: ZipContent;
}

/** Collects a state's ranges in memory, some 30 bytes each, until they are written. */
export interface AddressShardBuilder {
  /** Adds a street segment, x,y interleaved in 1e-6 degrees, and returns its number. Several ranges may lie along it. */
  addEdge(line: Int32Array): number;
  addRange(range: NewRange): void;
  /** Records that a city uses a ZIP; the city that is recorded most often becomes the ZIP's main city. */
  readonly addCity: ZipCollector['addCity'];
  readonly rangeCount: number;
  content(): ShardContent;
}

const PREFIXES_MAX = 65_536;
const EDGES_MAX = 2 ** 30;

/** An empty builder for a state, given by its two-digit FIPS code. */
export function createShardBuilder(stateFips: string): AddressShardBuilder {
  const streets = createNumbering();
  const prefixes = createNumbering();
  prefixes.numberOf('');
  const columns = {
    streets: new GrowingArray(Uint32Array),
    zips: new GrowingArray(Uint32Array),
    prefixes: new GrowingArray(Uint16Array),
    numbers: new GrowingArray(Int32Array),
    edges: new GrowingArray(Uint32Array),
    tracts: new GrowingArray(Uint32Array),
  };
  const edgeOffsets = new GrowingArray(Uint32Array);
  const edgeBytes = new GrowingArray(Uint8Array);
  edgeOffsets.push(0);
  const zips = createZipCollector();
  const middles = new GrowingArray(Int32Array);

  return {
    addEdge: (line) => {
      const edge = edgeOffsets.length - 1;
      if (edge >= EDGES_MAX) throw new RangeError(`more than ${EDGES_MAX} stretches of street in state ${stateFips}`);
      encodeLine(line, (byte) => edgeBytes.push(byte));
      edgeOffsets.push(edgeBytes.length);
      const middle = (line.length >> 2) * 2;
      middles.push(line[middle] ?? 0);
      middles.push(line[middle + 1] ?? 0);
      return edge;
    },
    addRange: ({ street, zip, prefix, from, to, mixed, side, edge, tract }) => {
      if (!parseStreetText(street)) throw new RangeError('a street without a name');
      const prefixNumber = prefixes.numberOf(prefix);
      if (prefixNumber >= PREFIXES_MAX)
        throw new RangeError(`more than ${PREFIXES_MAX} prefixes of house numbers in state ${stateFips}`);
      columns.streets.push(streets.numberOf(street));
      columns.zips.push(Number(zip));
      columns.prefixes.push(prefixNumber);
      columns.numbers.push(from);
      columns.numbers.push(to);
      columns.edges.push(packEdge(edge, side, mixed));
      columns.tracts.push(tract);
      if (zip !== '') zips.addPlace(Number(zip), middles.at(edge * 2), middles.at(edge * 2 + 1));
    },
    addCity: zips.addCity,
    get rangeCount() {
      return columns.streets.length;
    },
    content: () => ({
      stateFips,
      streets: streets.texts(),
      prefixes: prefixes.texts(),
      ranges: {
        streets: columns.streets.view(),
        zips: columns.zips.view(),
        prefixes: columns.prefixes.view(),
        numbers: columns.numbers.view(),
        edges: columns.edges.view(),
        tracts: columns.tracts.view(),
      },
      edgeOffsets: edgeOffsets.view(),
      edgeBytes: edgeBytes.view(),
      zips: zips.content(),
    }),
  };
}

interface Numbering {
  numberOf(text: string): number;
  texts(): string[];
}

/** Numbers texts in the order in which they first occur. */
function createNumbering(): Numbering {
  const numbers = new Map<string, number>();
  return {
    numberOf: (text) => obtain(numbers, text, () => numbers.size),
    texts: () => [...numbers.keys()],
  };
}
