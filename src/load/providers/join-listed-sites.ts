import { obtain } from '../../core/obtain.js';
import { type Provider, providerOf } from './provider.js';
import type { ListedSite, ProviderIntake } from './provider-intake.js';
import { nameKey, placeKey, sameName } from './site-key.js';

/** Adds the rural health clinics that are not among the providers yet, except those whose NPI is deactivated. */
export function addRuralClinics(intake: ProviderIntake): void {
  for (const [npi, site] of intake.ruralClinics) {
    if (intake.isKept(npi)) continue;
    if (intake.deactivated.has(npi)) site.tally.leave('NPI deactivated');
    else intake.add(asProvider(site, npi, 'rural_health_clinic'), site.tally);
  }
}

/**
 * Marks the providers that are health centers, by NPI, else by name and address. Every site that matches no provider at
 * its address becomes a provider of its own, without an NPI if HRSA gives none.
 */
export function joinHealthCenters(intake: ProviderIntake): void {
  if (intake.healthCenters.length === 0) return;
  const { byNpi, byPlace } = organizationsOf(intake);
  for (const site of intake.healthCenters) {
    const place = placeKey(site);
    const numbered = site.npi === null ? [] : (byNpi.get(site.npi) ?? []);
    for (const index of numbered) intake.store.markFqhc(index);
    const there = place === undefined ? [] : (byPlace.get(place) ?? []);
    const names = [site.providerName, ...site.otherNames].map(nameKey);
    const match =
      numbered.find((index) => there.includes(index)) ??
      there.find((index) => names.some((name) => sameName(name, nameKey(intake.store.get(index).providerName))));
    if (match === undefined) addSite(intake, site, numbered[0]);
    else {
      intake.store.markFqhc(match);
      if (site.position) intake.store.setPosition(match, site.position);
      site.tally.note(
        numbered.includes(match) ? 'joined to a provider by NPI' : 'joined to a provider by name and address',
      );
    }
  }
}

/** Adds a site as a provider; a further site of an organization that is known by its NPI takes over its taxonomy. */
function addSite(intake: ProviderIntake, site: ListedSite, organization: number | undefined): void {
  const npi = site.npi !== null && intake.deactivated.has(site.npi) ? null : site.npi;
  if (npi !== site.npi) site.tally.note('NPI deactivated, so not used');
  site.tally.note(npi === null ? 'became its own provider, without NPI' : 'became its own provider, with NPI');
  const own = asProvider(site, npi, 'fqhc');
  const { primaryTaxonomy, taxonomyDescription } = organization === undefined ? own : intake.store.get(organization);
  const isFurther = npi !== null && intake.isKept(npi);
  intake.add({ ...own, primaryTaxonomy, taxonomyDescription }, site.tally, site.position, isFurther);
}

function asProvider(site: ListedSite, npi: string | null, providerType: 'fqhc' | 'rural_health_clinic'): Provider {
  const who = { npi, providerName: site.providerName, credential: null, entityType: '2', gender: null } as const;
  return providerOf(who, { primaryTaxonomy: null, taxonomyDescription: null, providerType }, site);
}

interface Organizations {
  readonly byNpi: ReadonlyMap<string, readonly number[]>;
  readonly byPlace: ReadonlyMap<string, readonly number[]>;
}

/** The providers that are organizations and may match a site, by NPI and by {@link placeKey}. */
function organizationsOf({ store, healthCenters, healthCenterNpis }: ProviderIntake): Organizations {
  const places = new Set(healthCenters.map(placeKey));
  const byNpi = new Map<string, number[]>();
  const byPlace = new Map<string, number[]>();
  for (let index = 0; index < store.size; index++) {
    if (!store.isOrganization(index)) continue;
    const provider = store.get(index);
    const place = placeKey(provider);
    if (place !== undefined && places.has(place)) obtain(byPlace, place, () => []).push(index);
    if (provider.npi !== null && healthCenterNpis.has(provider.npi)) obtain(byNpi, provider.npi, () => []).push(index);
  }
  return { byNpi, byPlace };
}
