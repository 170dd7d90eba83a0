import type { DbfHeader } from '../../files/dbf.js';
import type { CompleteShapefile } from '../../files/discover.js';
import { whyNotGeographic } from '../../files/projection.js';
import { InputError } from '../../input.js';
import {
  looksLikeTracts,
  officialProduct,
  recognizeTractShapefile,
  type TractShapefile,
  whyNoTracts,
} from './recognize.js';

export { chooseOutlines } from './choose.js';
export { readOutlines, type TakeTract } from './read-outlines.js';
export { officialProduct, type TractShapefile } from './recognize.js';

/** A shapefile of tracts that may be loaded, why it must not be, or why one that may have been meant as such is none. */
export type ShapefileRecognition =
  | { readonly file: TractShapefile }
  | { readonly fault: string }
  | { readonly product: string; readonly refuse: string };

/**
 * Reads the attributes and the projection of a shapefile of census tracts; undefined for others. Throws `InputError` on one
 * that cannot be read, or has no row of attributes.
 */
export async function recognizeShapefile(
  set: CompleteShapefile,
  header: DbfHeader,
): Promise<ShapefileRecognition | undefined> {
  const file = await recognizeTractShapefile(set, header);
  if (!file) {
    const product = officialProduct(set.name);
    const refuse = product === undefined ? undefined : whyNoTracts(header);
    if (product !== undefined && refuse !== undefined) return { product, refuse };
    return looksLikeTracts(header) ? { fault: 'looks like outlines of tracts, but has no column TRACTCE' } : undefined;
  }
  if (file.table.rowCount === 0) throw new InputError(`${set.dbf.label} (${file.product}): it has no rows`);
  const refuse = await whyNotGeographic(set);
  return refuse === undefined ? { file } : { product: file.product, refuse };
}
