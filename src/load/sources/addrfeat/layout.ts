import type { DbfField } from '../../files/dbf.js';

/** The two products that hold address ranges. */
export type AddressProduct = 'ADDRFEAT' | 'EDGES';

/** The columns of one side of a street. */
export interface SideColumns {
  readonly from: DbfField;
  readonly to: DbfField;
  readonly zip: DbfField;
  /** `O`, `E` or `B` (both); EDGES has no such column. */
  readonly parity: DbfField | undefined;
}

/** The columns that the loader reads. */
export interface AddressColumns {
  readonly product: AddressProduct;
  /** Identifies a stretch of street; rows that give the same stretch other names share it. */
  readonly tlid: DbfField;
  readonly street: DbfField;
  readonly left: SideColumns;
  readonly right: SideColumns;
}

const NUMBER_COLUMNS = {
  ADDRFEAT: { left: ['LFROMHN', 'LTOHN'], right: ['RFROMHN', 'RTOHN'] },
  EDGES: { left: ['LFROMADD', 'LTOADD'], right: ['RFROMADD', 'RTOADD'] },
} as const;

/** The address columns of a table of either product; undefined for other tables. */
export function findAddressColumns(fields: readonly DbfField[]): AddressColumns | undefined {
  const byName = new Map(fields.map((field) => [field.name.toUpperCase(), field]));
  const tlid = byName.get('TLID');
  const street = byName.get('FULLNAME');
  if (!tlid || !street) return undefined;
  for (const product of ['ADDRFEAT', 'EDGES'] as const) {
    const [left, right] = (['left', 'right'] as const).map((side) => {
      const [from, to] = NUMBER_COLUMNS[product][side].map((name) => byName.get(name));
      const letter = side === 'left' ? 'L' : 'R';
      const zip = byName.get(`ZIP${letter}`);
      return from && to && zip ? { from, to, zip, parity: byName.get(`PARITY${letter}`) } : undefined;
    });
    if (left && right) return { product, tlid, street, left, right };
  }
  return undefined;
}
