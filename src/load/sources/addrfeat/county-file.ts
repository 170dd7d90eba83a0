import type { CompleteShapefile } from '../../files/discover.js';
import type { AddressColumns } from './layout.js';

/** A county's shapefile of address ranges, of which only the header of its table has been read. */
export interface CountyFile {
  readonly set: CompleteShapefile;
  readonly columns: AddressColumns;
  /** In the agency's words, with its vintage: `TIGER/Line ADDRFEAT 2021`. */
  readonly product: string;
  /** 0 if unknown. */
  readonly year: number;
  /** Five digits. */
  readonly countyFips: string;
  readonly rowCount: number;
}
