import { METRICS, SECTIONS } from '../core/metrics.js';
import { checksum } from './checksum.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, type SectionContent } from './container-writer.js';
import { type PackedTexts, packedBytes } from './text-table.js';

/**
 * One hash per section of each tract's record (SPEC 2.2), so that two generations are compared without reading records. By
 * row, by section in the order of SECTIONS, and by half: the hash's low 32 bits, then its high 32 bits.
 */
export type SectionHashes = Uint32Array;

/** How many numbers a row has in {@link SectionHashes}. */
export const HASH_NUMBERS = SECTIONS.length * 2;

const NAME = 'record/section-hash';

/** The key that begins each section in a record: the section's own name, or the key of its first metric. */
const FIRST_KEYS = SECTIONS.map((section) => {
  const first = METRICS.find((metric) => metric.section === section);
  return first?.path === first?.key ? first?.key : section;
});
/** No string value in a record can contain one of these: JSON escapes its quotation marks with backslashes. */
const BEGINNINGS = FIRST_KEYS.map((key) => Buffer.from(`,"${key}":`));

/** The section `record/section-hash` of tracts.tctx. */
export function sectionHashSections(records: PackedTexts): SectionContent[] {
  return [numbers(NAME, hashRecords(records))];
}

/** Hashes finished records, which all have all sections in the order of SECTIONS. */
export function hashRecords(records: PackedTexts): SectionHashes {
  const hashes = new BigUint64Array((records.offsets.length - 1) * SECTIONS.length);
  let next = 0;
  for (const record of packedBytes(records)) {
    const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
    const starts: number[] = [];
    for (const beginning of BEGINNINGS) starts.push(bytes.indexOf(beginning, starts.at(-1)));
    // The last section ends before the object's closing brace.
    starts.push(bytes.byteLength - 1);
    SECTIONS.forEach((section, at) => {
      const [start = -1, end = -1] = starts.slice(at, at + 2);
      if (start < 0 || end < start) throw new Error(`a record has no ${section}, or not in its place`);
      hashes[next++] = checksum(bytes.subarray(start + 1, end));
    });
  }
  return inHalves(hashes);
}

/** Opens the section written by {@link sectionHashSections} in place. */
export function openSectionHashes(container: ContainerReader, rows: number): SectionHashes {
  return container.uint32(NAME, rows * HASH_NUMBERS);
}

/** A row of hashes for sections that are entirely `null`; zeros for demographics, which is never null as a whole. */
export function absentSectionHashes(): SectionHashes {
  const hashes = new BigUint64Array(SECTIONS.length);
  SECTIONS.forEach((section, at) => {
    if (section !== 'demographics') hashes[at] = checksum(Buffer.from(`"${FIRST_KEYS[at]}":null`));
  });
  return inHalves(hashes);
}

/** The low half comes first, as in all numbers of the file. */
const inHalves = (hashes: BigUint64Array<ArrayBuffer>): SectionHashes => new Uint32Array(hashes.buffer);
