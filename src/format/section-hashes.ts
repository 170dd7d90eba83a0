import { METRICS, SECTIONS } from '../core/metrics.js';
import { checksum } from './checksum.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, type SectionContent } from './container-writer.js';
import { type PackedTexts, packedBytes } from './text-table.js';

/**
 * Each tract's record (SPEC 2.2) as one hash a section, so that two generations are compared without reading a record.
 * By row, section in the order of SECTIONS, and half: the hash's low 32 bits, then its high ones.
 */
export type SectionHashes = Uint32Array;

/** Numbers that a row has in {@link SectionHashes}. */
export const HASH_NUMBERS = SECTIONS.length * 2;

const NAME = 'record/section-hash';

/** The key that a section begins with in a record: its own name, or that of the first of its metrics. */
const FIRST_KEYS = SECTIONS.map((section) => {
  const first = METRICS.find((metric) => metric.section === section);
  return first?.path === first?.key ? first?.key : section;
});
/** No text in a record can look like one: in JSON its quotation marks have a backslash each. */
const BEGINNINGS = FIRST_KEYS.map((key) => Buffer.from(`,"${key}":`));

/** The section `record/section-hash` of tracts.tctx. */
export function sectionHashSections(records: PackedTexts): SectionContent[] {
  return [numbers(NAME, hashRecords(records))];
}

/** The hashes of finished records, which all have all sections, in their order. */
export function hashRecords(records: PackedTexts): SectionHashes {
  const hashes = new BigUint64Array((records.offsets.length - 1) * SECTIONS.length);
  let next = 0;
  for (const record of packedBytes(records)) {
    const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
    const starts: number[] = [];
    for (const beginning of BEGINNINGS) starts.push(bytes.indexOf(beginning, starts.at(-1)));
    // The last one ends before the object's brace.
    starts.push(bytes.byteLength - 1);
    SECTIONS.forEach((section, at) => {
      const [start = -1, end = -1] = starts.slice(at, at + 2);
      if (start < 0 || end < start) throw new Error(`a record has no ${section}, or not in its place`);
      hashes[next++] = checksum(bytes.subarray(start + 1, end));
    });
  }
  return inHalves(hashes);
}

/** Opens the section that {@link sectionHashSections} made, in place. */
export function openSectionHashes(container: ContainerReader, rows: number): SectionHashes {
  return container.uint32(NAME, rows * HASH_NUMBERS);
}

/** One row's hashes for sections that are `null` as a whole; sections that are never so have zeros. */
export function absentSectionHashes(): SectionHashes {
  const hashes = new BigUint64Array(SECTIONS.length);
  SECTIONS.forEach((section, at) => {
    if (section !== 'demographics') hashes[at] = checksum(Buffer.from(`"${FIRST_KEYS[at]}":null`));
  });
  return inHalves(hashes);
}

/** Low half first, as in all of the file's numbers. */
const inHalves = (hashes: BigUint64Array<ArrayBuffer>): SectionHashes => new Uint32Array(hashes.buffer);
