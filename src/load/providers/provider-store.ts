import { GrowingArray } from '../../core/growing-array.js';
import { obtain } from '../../core/obtain.js';
import { LOCATION_QUALITIES, PROVIDER_KINDS, type ProviderKind } from '../../core/provider-types.js';
import type { Tally } from '../intake/tally.js';
import type { Position, Practice, Provider } from './provider.js';
import { TextPool } from './text-pool.js';

const NO_POSITION = LOCATION_QUALITIES.length;

/** A taxonomy's code and description; there are few distinct ones. */
type Taxonomy = Pick<Provider, 'primaryTaxonomy' | 'taxonomyDescription'>;

/**
 * Providers in some 150 bytes each: texts packed into large buffers, the rest in columns. As objects, the registry's
 * providers would take ten times as much.
 */
export class ProviderStore {
  private readonly npis = new GrowingArray(Float64Array);
  private readonly lats = new GrowingArray(Float64Array);
  private readonly lngs = new GrowingArray(Float64Array);
  private readonly qualities = new GrowingArray(Uint8Array);
  private readonly kinds = new GrowingArray(Uint8Array);
  private readonly fqhcs = new GrowingArray(Uint8Array);
  private readonly organizations = new GrowingArray(Uint8Array);
  private readonly taxonomies = new GrowingArray(Uint16Array);
  private readonly tallies = new GrowingArray(Uint16Array);
  /** Whether the row is a further location of its NPI. */
  private readonly furthers = new GrowingArray(Uint8Array);
  private readonly texts = new TextPool();
  private readonly knownTaxonomies: Taxonomy[] = [];
  private readonly taxonomyAt = new Map<string | null, number>();
  private readonly knownTallies: (Tally | undefined)[] = [];

  get size(): number {
    return this.npis.length;
  }

  /** Adds a provider, whose index is the store's size until then; if it is left out later, the tally counts that. */
  add(provider: Provider, tally: Tally | undefined, position?: Position, isFurther = false): void {
    this.npis.push(provider.npi === null ? Number.NaN : Number(provider.npi));
    this.lats.push(position?.lat ?? Number.NaN);
    this.lngs.push(position?.lng ?? Number.NaN);
    this.qualities.push(position ? LOCATION_QUALITIES.indexOf(position.locationQuality) : NO_POSITION);
    this.kinds.push(PROVIDER_KINDS.indexOf(provider.providerType));
    this.fqhcs.push(provider.isFqhc ? 1 : 0);
    this.organizations.push(provider.entityType === '2' ? 1 : 0);
    this.taxonomies.push(this.taxonomyNumber(provider));
    this.tallies.push(this.tallyNumber(tally));
    this.furthers.push(isFurther ? 1 : 0);
    this.texts.add([
      provider.providerName,
      provider.credential,
      provider.practiceAddress,
      provider.practiceCity,
      provider.practiceState,
      provider.practiceZip,
      provider.phone,
      provider.gender,
    ]);
  }

  private taxonomyNumber({ primaryTaxonomy, taxonomyDescription }: Taxonomy): number {
    const add = (): number => this.knownTaxonomies.push({ primaryTaxonomy, taxonomyDescription }) - 1;
    return obtain(this.taxonomyAt, primaryTaxonomy, add);
  }

  private tallyNumber(tally: Tally | undefined): number {
    const number = this.knownTallies.indexOf(tally);
    return number >= 0 ? number : this.knownTallies.push(tally) - 1;
  }

  /** The NPI as a number; NaN if there is none. */
  npiAt(index: number): number {
    return this.npis.at(index);
  }

  kindAt(index: number): ProviderKind {
    return PROVIDER_KINDS[this.kinds.at(index)] ?? 'other';
  }

  isOrganization(index: number): boolean {
    return this.organizations.at(index) === 1;
  }

  isFurther(index: number): boolean {
    return this.furthers.at(index) === 1;
  }

  tallyOf(index: number): Tally | undefined {
    return this.knownTallies[this.tallies.at(index)];
  }

  /** The position that the provider was added with, or has been given since. */
  positionOf(index: number): Position | undefined {
    const locationQuality = LOCATION_QUALITIES[this.qualities.at(index)];
    return locationQuality && { lat: this.lats.at(index), lng: this.lngs.at(index), locationQuality };
  }

  setPosition(index: number, { lat, lng, locationQuality }: Position): void {
    this.lats.set(index, lat);
    this.lngs.set(index, lng);
    this.qualities.set(index, LOCATION_QUALITIES.indexOf(locationQuality));
  }

  /** Marks a federally qualified health center; an organization also becomes one by type. */
  markFqhc(index: number): void {
    this.fqhcs.set(index, 1);
    if (this.isOrganization(index)) this.kinds.set(index, PROVIDER_KINDS.indexOf('fqhc'));
  }

  practiceOf(index: number): Practice {
    const [, , practiceAddress, practiceCity, practiceState, practiceZip, phone] = this.texts.get(index);
    return {
      practiceAddress: practiceAddress || null,
      practiceCity: practiceCity || null,
      practiceState: practiceState || null,
      practiceZip: practiceZip || null,
      phone: phone || null,
    };
  }

  get(index: number): Provider {
    const [providerName = '', credential, address, city, state, zip, phone, gender] = this.texts.get(index);
    const { primaryTaxonomy = null, taxonomyDescription = null } =
      this.knownTaxonomies[this.taxonomies.at(index)] ?? {};
    const npi = this.npis.at(index);
    return {
      npi: Number.isNaN(npi) ? null : String(npi),
      providerName,
      credential: credential || null,
      primaryTaxonomy,
      taxonomyDescription,
      providerType: this.kindAt(index),
      practiceAddress: address || null,
      practiceCity: city || null,
      practiceState: state || null,
      practiceZip: zip || null,
      phone: phone || null,
      isFqhc: this.fqhcs.at(index) === 1,
      entityType: this.isOrganization(index) ? '2' : '1',
      gender: gender || null,
    };
  }
}
