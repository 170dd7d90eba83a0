import type { LatLng } from '../../core/coordinates.js';
import { GrowingArray } from '../../core/growing-array.js';
import type { Tally } from '../intake/tally.js';
import { NpiSet } from './npi.js';

/** A provider's coordinates, as a file gives them. */
export interface CoordinateRow extends LatLng {
  readonly npi: string;
  /** The tract that the file gives, as a number; NaN if it gives none. Only compared with the outlines, never used. */
  readonly tractFips: number;
  readonly tally: Tally;
  /** Whether the row holds only coordinates, so that it counts as left out if no provider uses them. */
  readonly alone: boolean;
}

const REPEATED = 'duplicate row';
const CONTRADICTING = 'duplicate NPI with other coordinates';
export const UNUSED = 'no kept provider has this NPI';

/** A row whose cells cannot be coordinates. */
export interface FaultyRow {
  readonly npi: string;
  /** What is wrong, as a short phrase. */
  readonly fault: string;
  readonly text: string;
  /** The row's number in the file. */
  readonly row: number;
  readonly tally: Tally;
}

/** Coordinates by NPI, some 40 bytes a row. The first row of an NPI wins; others are compared with it. */
export class CoordinateTable {
  private readonly npis = new GrowingArray(Float64Array);
  private readonly lats = new GrowingArray(Float64Array);
  private readonly lngs = new GrowingArray(Float64Array);
  private readonly tracts = new GrowingArray(Float64Array);
  private readonly tallies: Tally[] = [];
  private readonly tallyAt = new GrowingArray(Uint16Array);
  private readonly alone = new GrowingArray(Uint8Array);
  private readonly used = new GrowingArray(Uint8Array);
  /** Whether an earlier row has the same NPI. */
  private readonly repeats = new GrowingArray(Uint8Array);
  private readonly faulty: FaultyRow[] = [];
  private readonly known = new NpiSet();
  private order: Uint32Array | undefined;

  add(row: CoordinateRow): void {
    this.repeats.push(this.known.add(row.npi) ? 0 : 1);
    this.npis.push(Number(row.npi));
    this.lats.push(row.lat);
    this.lngs.push(row.lng);
    this.tracts.push(row.tractFips);
    this.tallyAt.push(this.tallyNumber(row.tally));
    this.alone.push(row.alone ? 1 : 0);
    this.used.push(0);
  }

  /** Adds a row that is rejected only if a provider has its NPI: whether one does may be known only at the end. */
  addFaulty(row: FaultyRow): void {
    this.faulty.push(row);
  }

  private tallyNumber(tally: Tally): number {
    const number = this.tallies.indexOf(tally);
    return number >= 0 ? number : this.tallies.push(tally) - 1;
  }

  /** The coordinates of an NPI. O(log n); to be called only once all rows have been added. */
  find(npi: number): CoordinateRow | undefined {
    const row = this.rowOf(npi);
    if (row >= 0) this.used.set(row, 1);
    return this.rowAt(row);
  }

  /** The first row of an NPI, or −1. */
  private rowOf(npi: number): number {
    this.order ??= this.sort();
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.npis.at(this.order[middle] ?? 0) < npi) low = middle + 1;
      else high = middle;
    }
    const row = this.order[low] ?? -1;
    return this.npis.at(row) === npi ? row : -1;
  }

  /** The rows by NPI; those of one NPI keep their order. */
  private sort(): Uint32Array {
    const order = Uint32Array.from({ length: this.npis.length }, (_, row) => row);
    return order.sort((a, b) => this.npis.at(a) - this.npis.at(b));
  }

  /** Undefined for −1. */
  private rowAt(row: number): CoordinateRow | undefined {
    const tally = this.tallies[this.tallyAt.at(row)];
    return (
      tally && {
        npi: String(this.npis.at(row)),
        lat: this.lats.at(row),
        lng: this.lngs.at(row),
        tractFips: this.tracts.at(row),
        tally,
        alone: this.alone.at(row) === 1,
      }
    );
  }

  /**
   * Accounts for the rows that were not used; to be called once, after all providers have been looked up. Rows of NPIs that
   * no provider has are left out, right or wrong: among the few that are wanted, those that are wrong would weigh too much.
   */
  account(isKept: (npi: string) => boolean): void {
    for (let row = 0; row < this.npis.length; row++) {
      const repeat = this.repeats.at(row) === 1 ? this.rowAt(row) : undefined;
      if (repeat) this.accountForRepeat(repeat);
      else if (this.used.at(row) === 0 && this.alone.at(row) === 1) this.tallies[this.tallyAt.at(row)]?.leave(UNUSED);
    }
    for (const { npi, fault, text, row, tally } of this.faulty) {
      if (isKept(npi)) tally.reject(fault, { row, value: text });
      else tally.leave(UNUSED);
    }
  }

  private accountForRepeat({ npi, lat, lng, tally, alone }: CoordinateRow): void {
    const row = this.rowOf(Number(npi));
    const first = this.rowAt(row);
    const isSame = first?.lat === lat && first.lng === lng;
    if (!alone) {
      // The row is accounted for by the provider that it also describes.
      if (!isSame) tally.note(CONTRADICTING);
    } else if (this.used.at(row) === 0) tally.leave(UNUSED);
    else if (isSame) tally.leave(REPEATED);
    else tally.reject(CONTRADICTING, { column: 'NPI', value: npi });
  }
}
