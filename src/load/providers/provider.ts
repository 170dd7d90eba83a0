import type { LatLng } from '../../core/coordinates.js';
import type { LocationQuality, ProviderKind } from '../../core/provider-types.js';

/** Where and how a provider is reached. What is unknown is null. */
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

/** A healthcare provider at one practice location. What is unknown is null. */
export interface Provider extends Practice {
  /** Ten digits; null for a site that no registry gives a number. */
  readonly npi: string | null;
  readonly providerName: string;
  /** Such as `MD`. */
  readonly credential: string | null;
  /** NUCC taxonomy code and the text that NUCC gives it. */
  readonly primaryTaxonomy: string | null;
  readonly taxonomyDescription: string | null;
  readonly providerType: ProviderKind;
  readonly isFqhc: boolean;
  /** As NPPES codes it: 1 is an individual, 2 an organization. */
  readonly entityType: '1' | '2';
  /** `F`, `M`; null for organizations. */
  readonly gender: string | null;
}

/** A position in degrees, and where it is from. */
export interface Position extends LatLng {
  readonly locationQuality: LocationQuality;
}

/** A provider whose position is known. */
export type ProviderRow = Provider & Position;

/** Who a provider is, and what kind of provider, as a row of a registry says it. */
type Identity = Pick<Provider, 'npi' | 'providerName' | 'credential' | 'entityType' | 'gender'>;
type Classification = Pick<Provider, 'primaryTaxonomy' | 'taxonomyDescription' | 'providerType'>;

/**
 * The provider that a row of a registry tells of. Field by field: a literal with several spreads in it takes V8 longer than
 * all the rest of the row.
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
