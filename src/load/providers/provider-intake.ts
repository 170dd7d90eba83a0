import type { ProviderKind } from '../../core/provider-types.js';
import type { Tally } from '../tally.js';
import { CoordinateTable } from './coordinate-table.js';
import { NpiSet } from './npi.js';
import type { Position, Practice, Provider } from './provider.js';
import { ProviderStore } from './provider-store.js';
import { isTaxonomyCode, readTaxonomyTable, type TaxonomyTable } from './taxonomy.js';
import { ZipPoints } from './zip-points.js';

/** A further practice location of an NPI, which the registry keeps in a file of its own. */
export interface FurtherLocation extends Practice {
  readonly npi: string;
  readonly tally: Tally;
}

/** A place that an agency lists as what it is: a health center's site, a rural health clinic. */
export interface ListedSite extends Practice {
  readonly npi: string | null;
  readonly providerName: string;
  /** Other names that it goes by, such as its organization's. */
  readonly otherNames: readonly string[];
  readonly position: Position | undefined;
  readonly tally: Tally;
}

/** What a taxonomy code comes to. */
export type Classified =
  | Pick<Provider, 'primaryTaxonomy' | 'taxonomyDescription' | 'providerType'>
  | { readonly reject: string }
  | { readonly leave: string };

/** More characters than any field of the agencies' may have, all of a row's together. */
const MAX_TEXT_LENGTH = 4096;

/** All that the sources say of providers, before it is put together. */
export class ProviderIntake {
  readonly store = new ProviderStore();
  readonly coordinates = new CoordinateTable();
  readonly zipPoints = new ZipPoints();
  readonly healthCenters: ListedSite[] = [];
  readonly ruralClinics = new Map<string, ListedSite>();
  readonly furtherLocations: FurtherLocation[] = [];
  /** NPIs of {@link healthCenters}. */
  readonly healthCenterNpis = new Set<string>();
  /** NPIs that an agency lists, but the registry has deactivated. */
  readonly deactivated = new Set<string>();
  /** Health centers that have been read, as the sources tell them apart. */
  readonly healthCenterKeys = new Set<string>();
  private registeredNpis: NpiSet | undefined;
  private locatedNpis: NpiSet | undefined;
  private keptNpis: NpiSet | undefined;
  private taxonomyTable: TaxonomyTable | undefined;

  /** `keepAll` keeps providers of taxonomies that are in no list, as `other`. */
  constructor(private readonly keepAll: boolean) {}

  /** NPIs whose further locations a file has listed. */
  get located(): NpiSet {
    this.locatedNpis ??= new NpiSet();
    return this.locatedNpis;
  }

  /** Whether there is nothing to make a file of. */
  get isEmpty(): boolean {
    return this.store.size + this.healthCenters.length + this.ruralClinics.size === 0;
  }

  /** Accounts for coordinates where there is no provider that they could be of. */
  accountWithoutProviders(): void {
    if (this.isEmpty) this.coordinates.account();
  }

  /** Tells of the NPIs of a registry file that has been read, whatever became of them. */
  register(npis: NpiSet): void {
    if (this.registeredNpis) this.registeredNpis.addAll(npis);
    else this.registeredNpis = npis;
  }

  /** Whether a registry file that has been read tells of the NPI. */
  isRegistered(npi: string): boolean {
    return this.registeredNpis?.has(npi) ?? false;
  }

  isKept(npi: string): boolean {
    return this.keptNpis?.has(npi) ?? false;
  }

  /**
   * Adds a provider that `tally` has read. `isFurther` says that it is a further place of an NPI, whose coordinates by NPI
   * are not its own.
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
    if (provider.npi === null) return;
    this.keptNpis ??= new NpiSet();
    this.keptNpis.add(provider.npi);
  }

  addHealthCenter(site: ListedSite): void {
    this.healthCenters.push(site);
    if (site.npi !== null) this.healthCenterNpis.add(site.npi);
  }

  /** Whether an agency lists the NPI as a site of its own kind, so that its taxonomy does not decide. */
  isListed(npi: string): boolean {
    return this.healthCenterNpis.has(npi) || this.ruralClinics.has(npi);
  }

  /**
   * What a provider with this primary taxonomy is. The list decides; a place that an agency lists is of that agency's
   * kind where it is an organization.
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

/** Why a code is that of no provider who is kept. */
function refusal(code: string): Classified {
  if (code === '') return { leave: 'no primary taxonomy' };
  return isTaxonomyCode(code) ? { leave: 'taxonomy of no provider type' } : { reject: 'malformed taxonomy code' };
}
