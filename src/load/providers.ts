import type { LatLng } from '../core/coordinates.js';
import type { Geoid } from '../core/geoid.js';
import { PROVIDER_TYPES, type ProviderType } from '../core/provider-types.js';
import type { SectionEntry } from '../format/container-header.js';
import type { OutlinesFile } from '../format/outlines-file.js';
import { IN_NO_TRACT, writeProvidersFile } from '../format/providers-file.js';
import { type PackedTexts, packTexts } from '../format/text-table.js';

/** A healthcare provider at one practice location. What is unknown is null. */
export interface ProviderRow extends LatLng {
  /** Ten digits. */
  readonly npi: string;
  readonly providerName: string;
  /** Such as `MD`. */
  readonly credential: string | null;
  /** NUCC taxonomy code and the text that NUCC gives it. */
  readonly primaryTaxonomy: string;
  readonly taxonomyDescription: string;
  readonly providerType: ProviderType;
  readonly practiceAddress: string | null;
  readonly practiceCity: string | null;
  /** Two letters. */
  readonly practiceState: string | null;
  readonly practiceZip: string | null;
  readonly phone: string | null;
  readonly isFqhc: boolean;
  /** As NPPES codes it: 1 is an individual, 2 an organization. */
  readonly entityType: '1' | '2';
  /** `F`, `M`; null for organizations. */
  readonly gender: string | null;
}

/**
 * Writes the providers' file. Each one's tract is the one whose outline holds the position, as a context query at the
 * same point says it.
 */
export function writeProviders(
  path: string,
  rows: readonly ProviderRow[],
  tracts: readonly { readonly geoid: Geoid }[],
  outlines: Pick<OutlinesFile, 'locate'>,
): SectionEntry[] {
  const sorted = sortByNpi(rows);
  const tractRows = sorted.map((row) => outlines.locate(row));
  const pack = (membersOf: (row: ProviderRow, index: number) => object): PackedTexts =>
    packTexts(sorted.length, (index) => {
      const row = sorted[index];
      return row ? JSON.stringify(membersOf(row, index)).slice(1, -1) : '';
    });
  return writeProvidersFile(
    path,
    {
      npis: Float64Array.from(sorted, ({ npi }) => Number(npi)),
      lats: Float64Array.from(sorted, ({ lat }) => lat),
      lngs: Float64Array.from(sorted, ({ lng }) => lng),
      tracts: Uint32Array.from(tractRows, (row) => (row < 0 ? IN_NO_TRACT : row)),
      types: Uint8Array.from(sorted, ({ providerType }) => PROVIDER_TYPES.indexOf(providerType)),
      properties: pack(propertiesOf),
      details: pack((row, index) => detailsOf(row, tracts[tractRows[index] ?? -1])),
    },
    tracts.length,
  );
}

/** Rows of one NPI, at several places, stay in their order. */
function sortByNpi(rows: readonly ProviderRow[]): ProviderRow[] {
  const keyed = rows.map((row) => ({ row, npi: Number(row.npi) }));
  return keyed.sort((a, b) => a.npi - b.npi).map(({ row }) => row);
}

/** The properties of SPEC 2.13, in its order. */
function propertiesOf(row: ProviderRow): object {
  return {
    npi: row.npi,
    provider_name: row.providerName,
    credential: row.credential,
    primary_taxonomy: row.primaryTaxonomy,
    taxonomy_description: row.taxonomyDescription,
    provider_type: row.providerType,
    practice_address: row.practiceAddress,
    practice_city: row.practiceCity,
    practice_state: row.practiceState,
    practice_zip: row.practiceZip,
    phone: row.phone,
    is_fqhc: row.isFqhc,
    entity_type: row.entityType,
  };
}

/** What a search shows besides. */
function detailsOf({ gender, lat, lng }: ProviderRow, tract: { readonly geoid: Geoid } | undefined): object {
  return { gender, tract_fips: tract?.geoid ?? null, lat, lng };
}
