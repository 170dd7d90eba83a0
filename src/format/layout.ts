import { ElementType } from './generated/container/element-type.js';

/** Constants of the compiled file format; schemas/FORMAT.md explains them. */
export const MAGIC = 'TRACTCTX';
export const FORMAT_VERSION = 2;
export const PREAMBLE_BYTES = 64;
export const SECTION_ALIGNMENT = 64;

/** What a section has at most. Beyond, V8 may refuse a view of it by ending the process. */
export const SECTION_MAX_BYTES = 2 ** 32 - 1;

/** Offsets within the preamble. */
export const PREAMBLE = { magic: 0, version: 8, headerBytes: 12, fileBytes: 16, headerXxh3: 24 } as const;

/** The typed array that reads each kind of section in place. */
export const ELEMENT_ARRAYS = {
  [ElementType.Bytes]: Uint8Array,
  [ElementType.UInt8]: Uint8Array,
  [ElementType.UInt16]: Uint16Array,
  [ElementType.UInt32]: Uint32Array,
  [ElementType.Int32]: Int32Array,
  [ElementType.Float64]: Float64Array,
} as const;

export type SectionArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The next offset at which a section may begin. */
export function alignUp(offset: number): number {
  return Math.ceil(offset / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
}

/** An element type's name as in the schema, such as `Float64`. */
export function elementName(element: ElementType): string {
  return ElementType[element];
}
