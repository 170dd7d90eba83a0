import type { ProviderKind } from '../../core/provider-types.js';
import type { Tally } from '../intake/tally.js';
import { CoordinateTable, type FaultyRow, UNUSED } from './coordinate-table.js';
import { NpiSet } from './npi.js';
import type { Classification, Position, Practice, Provider } from './provider.js';
import { ProviderStore } from './provider-store.js';
import { isTaxonomyCode, readTaxonomyTable, type TaxonomyTable } from './taxonomy.js';
import { ZipPoints } from './zip-points.js';

/** A further practice location of an NPI; the registry publishes these in a file of their own. */
export interface FurtherLocation extends Practice {
  readonly npi: string;
  readonly tally: Tally;
}

/** A site on an agency's list of sites of one kind: health-center sites or rural health clinics. */
export interface ListedSite extends Practice {
  readonly npi: string | null;
  readonly providerName: string;
  /** Other names of the site, such as its organization's. */
  readonly otherNames: readonly string[];
  readonly position: Position | undefined;
  readonly tally: Tally;
}

/** What follows from a provider's taxonomy code: its classification, or why it is not kept. */
export type Classified = Classification | { readonly reject: string } | { readonly leave: string };

/** The limit for all of a row's texts together: more characters than any of the agencies' fields may have. */
const MAX_TEXT_LENGTH = 4096;

/** All that the sources say about providers, before it is combined. */
export class ProviderIntake {
  readonly store = new ProviderStore();
  readonly coordinates = new CoordinateTable();
  readonly zipPoints = new ZipPoints();
  readonly healthCenters: ListedSite[] = [];
  readonly ruralClinics = new Map<string, ListedSite>();
  readonly furtherLocations: FurtherLocation[] = [];
  /** NPIs of {@link healthCenters}. */
  readonly healthCenterNpis = new Set<string>();
  /** NPIs that an agency lists although the registry has deactivated them. */
  readonly deactivated = new Set<string>();
  /** Keys of the health-center sites read so far, by which repeated ones are found. */
  readonly healthCenterKeys = new Set<string>();
  /** NPIs of the registry files that have been read, whether they were kept or not. */
  readonly registered = new NpiSet();
  /** NPIs whose further locations are in a file that has been read. */
  readonly located = new NpiSet();
  private readonly kept = new NpiSet();
  private taxonomyTable: TaxonomyTable | undefined;

  /** `keepAll` keeps providers whose taxonomy is not in the taxonomy table, as `other`. */
  constructor(private readonly keepAll: boolean) {}

  /** Whether there is no provider to write. */
  get isEmpty(): boolean {
    return this.store.size + this.healthCenters.length + this.ruralClinics.size === 0;
  }

  /** Accounts for the coordinates if there is no provider that could use them. */
  accountWithoutProviders(): void {
    if (this.isEmpty) this.accountForCoordinates();
  }

  /** Accounts for the coordinates that no provider uses; to be called once, after all providers have been looked up. */
  accountForCoordinates(): void {
    this.coordinates.account((npi) => this.isKept(npi));
  }

  /**
   * Accounts for a row whose cells cannot be coordinates. What the registry has and does not keep, no later file can add:
   * such rows, which may be millions, are not remembered.
   */
  addFaultyCoordinates(row: FaultyRow): void {
    const { npi, tally } = row;
    if (this.registered.has(npi) && !this.isKept(npi) && !this.isListed(npi)) tally.leave(UNUSED);
    else this.coordinates.addFaulty(row);
  }

  isKept(npi: string): boolean {
    return this.kept.has(npi);
  }

  /**
   * Adds a provider whose row `tally` has counted as read. `isFurther` marks a further location of an NPI, to which
   * coordinates by NPI do not apply.
   */
  add(provider: Provider, tally: Tally, position?: Position, isFurther = false): void {
    const { providerName, practiceAddress, practiceCity, credential, gender } = provider;
    const length = [providerName, practiceAddress, practiceCity, credential, gender].reduce(
      (sum, text) => sum + (text?.length ?? 0),
      0,
    );
    if (length > MAX_TEXT_LENGTH) {
      tally.reject('overlong text');
      return;
    }
    this.store.add(provider, tally, position, isFurther);
    if (provider.npi !== null) this.kept.add(provider.npi);
  }

  addHealthCenter(site: ListedSite): void {
    this.healthCenters.push(site);
    if (site.npi !== null) this.healthCenterNpis.add(site.npi);
  }

  /** Whether an agency lists the NPI as one of its sites, so that the taxonomy does not decide the type. */
  isListed(npi: string): boolean {
    return this.healthCenterNpis.has(npi) || this.ruralClinics.has(npi);
  }

  /**
   * Classifies a provider by its primary taxonomy, as the taxonomy table says. An organization that an agency lists is of
   * that agency's kind instead.
   */
  classify(npi: string, code: string, entityType: '1' | '2'): Classified {
    this.taxonomyTable ??= readTaxonomyTable();
    const taxonomy = this.taxonomyTable.get(code);
    const listed = entityType === '2' ? this.listedType(npi) : undefined;
    if (!taxonomy && !listed && !this.keepAll) return refusal(code);
    const primaryTaxonomy = taxonomy || isTaxonomyCode(code) ? code : null;
    if (primaryTaxonomy === null && !listed) return refusal(code);
    return {
      primaryTaxonomy,
      taxonomyDescription: taxonomy?.description ?? null,
      providerType: listed ?? taxonomy?.type ?? 'other',
    };
  }

  private listedType(npi: string): ProviderKind | undefined {
    if (this.ruralClinics.has(npi)) return 'rural_health_clinic';
    return this.healthCenterNpis.has(npi) ? 'fqhc' : undefined;
  }
}

/** Why a provider with this code is not kept. */
function refusal(code: string): Classified {
  if (code === '') return { leave: 'no primary taxonomy' };
  return isTaxonomyCode(code) ? { leave: 'taxonomy without a provider type' } : { reject: 'malformed taxonomy code' };
}
