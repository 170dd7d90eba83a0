import type { Geoid } from '../../core/geoid.js';
import type { SectionEntry } from '../../format/container-header.js';
import { writeProvidersFile } from '../../format/providers-file-writer.js';
import { addFurtherLocations } from './add-further-locations.js';
import type { Ground } from './ground.js';
import { addRuralClinics, joinHealthCenters } from './join-listed-sites.js';
import { placeProviders } from './place-providers.js';
import type { Provider } from './provider.js';
import type { ProviderIntake } from './provider-intake.js';

/**
 * Combines what the sources say about providers, places them, and writes their file. A provider's tract is the one whose
 * outline holds its position, the same that a context query at that point finds.
 */
export function writeProviders(path: string, intake: ProviderIntake, ground: Ground): SectionEntry[] {
  addRuralClinics(intake);
  joinHealthCenters(intake);
  addFurtherLocations(intake);
  const placed = placeProviders(intake, ground);
  const { indices, lats, lngs, tracts } = placed;
  const recordOf = (row: number) => {
    const provider = intake.store.get(indices[row] ?? 0);
    const [lat = 0, lng = 0] = [lats[row], lngs[row]];
    return {
      coordinates: `${lng},${lat}`,
      properties: members(propertiesOf(provider)),
      details: members({
        gender: provider.gender,
        tract_fips: geoidAt(ground.tracts, tracts[row]),
        lat,
        lng,
      }),
    };
  };
  return writeProvidersFile(path, { ...placed, recordOf }, ground.tracts.length);
}

function geoidAt(tracts: readonly { readonly geoid: Geoid }[], row: number | undefined): Geoid | null {
  return tracts[row ?? -1]?.geoid ?? null;
}

/** An object's JSON without its braces. */
const members = (object: object): string => JSON.stringify(object).slice(1, -1);

/** The properties of SPEC 2.13, in its order. */
function propertiesOf(provider: Provider): object {
  return {
    npi: provider.npi,
    provider_name: provider.providerName,
    credential: provider.credential,
    primary_taxonomy: provider.primaryTaxonomy,
    taxonomy_description: provider.taxonomyDescription,
    provider_type: provider.providerType,
    practice_address: provider.practiceAddress,
    practice_city: provider.practiceCity,
    practice_state: provider.practiceState,
    practice_zip: provider.practiceZip,
    phone: provider.phone,
    is_fqhc: provider.isFqhc,
    entity_type: provider.entityType,
  };
}
