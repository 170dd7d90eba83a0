import { GrowingArray } from '../../core/growing-array.js';

const PIECE_BYTES = 2 ** 20;
/** Separates the texts of a group: a character that no cleaned text contains. */
const SEPARATOR = '\u001f';

/** Groups of short texts, packed one after another outside of the V8 heap. */
export class TextPool {
  private readonly pieces: Buffer[] = [];
  private used = PIECE_BYTES;
  /** Piece and offset in it, as one number. */
  private readonly starts = new GrowingArray(Float64Array);
  private readonly lengths = new GrowingArray(Uint16Array);

  /** Adds a group of texts; null is stored as an empty text. */
  add(texts: readonly (string | null)[]): void {
    const joined = texts.map((text) => text ?? '').join(SEPARATOR);
    const sizeBytes = Buffer.byteLength(joined);
    if (sizeBytes > 0xffff) throw new RangeError(`texts of ${sizeBytes} bytes; 65,535 is the most`);
    if (this.used + sizeBytes > PIECE_BYTES) {
      this.pieces.push(Buffer.allocUnsafeSlow(PIECE_BYTES));
      this.used = 0;
    }
    this.starts.push((this.pieces.length - 1) * PIECE_BYTES + this.used);
    this.lengths.push(sizeBytes);
    this.used += this.pieces.at(-1)?.write(joined, this.used) ?? 0;
  }

  /** The texts of a group, by its index: groups are numbered as they are added. */
  get(index: number): string[] {
    const start = this.starts.at(index);
    const at = start % PIECE_BYTES;
    const piece = this.pieces[Math.floor(start / PIECE_BYTES)];
    return piece?.toString('utf8', at, at + this.lengths.at(index)).split(SEPARATOR) ?? [];
  }
}
