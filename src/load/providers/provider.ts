import type { LatLng } from '../../core/coordinates.js';
import type { LocationQuality, ProviderKind } from '../../core/provider-types.js';

/** The address and phone number of a practice location. Unknown fields are null. */
export interface Practice {
  readonly practiceAddress: string | null;
  readonly practiceCity: string | null;
  /** Two letters. */
  readonly practiceState: string | null;
  /** Five digits. */
  readonly practiceZip: string | null;
  /** `612-555-0100`. */
  readonly phone: string | null;
}

/** A healthcare provider at one practice location. Unknown fields are null. */
export interface Provider extends Practice {
  /** Ten digits; null for a site to which no registry gives a number. */
  readonly npi: string | null;
  readonly providerName: string;
  /** Such as `MD`. */
  readonly credential: string | null;
  /** NUCC taxonomy code, and below it NUCC's description. */
  readonly primaryTaxonomy: string | null;
  readonly taxonomyDescription: string | null;
  readonly providerType: ProviderKind;
  readonly isFqhc: boolean;
  /** As NPPES codes it: 1 is an individual, 2 an organization. */
  readonly entityType: '1' | '2';
  /** `F`, `M`; null for organizations. */
  readonly gender: string | null;
}

/** A position in degrees, and where it comes from. */
export interface Position extends LatLng {
  readonly locationQuality: LocationQuality;
}

/** A provider whose position is known. */
export type ProviderRow = Provider & Position;

/** Who a provider is, as a row of a registry says; {@link Classification} is what kind of provider. */
type Identity = Pick<Provider, 'npi' | 'providerName' | 'credential' | 'entityType' | 'gender'>;
export type Classification = Pick<Provider, 'primaryTaxonomy' | 'taxonomyDescription' | 'providerType'>;

/**
 * Builds the provider that a row of a registry describes. Written field by field: an object literal with several spreads
 * takes V8 longer than all the rest of the row.
 */
export function providerOf(who: Identity, what: Classification, where: Practice): Provider {
  return {
    npi: who.npi,
    providerName: who.providerName,
    credential: who.credential,
    primaryTaxonomy: what.primaryTaxonomy,
    taxonomyDescription: what.taxonomyDescription,
    providerType: what.providerType,
    practiceAddress: where.practiceAddress,
    practiceCity: where.practiceCity,
    practiceState: where.practiceState,
    practiceZip: where.practiceZip,
    phone: where.phone,
    isFqhc: what.providerType === 'fqhc',
    entityType: who.entityType,
    gender: who.gender,
  };
}
