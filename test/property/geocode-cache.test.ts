import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GeocodeOutcome, type Geocoder, GeocoderUnavailableError } from '../../src/geocode/geocoder.js';
import { createCachedGeocoder } from '../../src/geocode/upstream/cached-geocoder.js';

/** What an address comes to, by its last letter. */
function outcomeOf(address: string): GeocodeOutcome {
  const letter = address.trim().toLowerCase().at(-1) ?? '';
  if (letter === 'a') return { lat: 1, lng: 2, matchedAddress: `MATCH ${address.trim().toUpperCase()}` };
  return letter === 'b' ? { noMatch: 'tie' } : new GeocoderUnavailableError('down');
}

test('a batch comes to what its addresses come to one by one, and asks for each of them once at most', async () => {
  const address = fc.stringMatching(/^ ?[1-3] {1,2}[abcABC] ?$/);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(address, { maxLength: 12 }), { maxLength: 4 }), async (batches) => {
      let asked: string[] = [];
      const geocoder: Geocoder = {
        geocode: async (one) => {
          asked.push(one.trim().replace(/\s+/g, ' ').toUpperCase());
          const outcome = outcomeOf(one);
          if (outcome instanceof GeocoderUnavailableError) throw outcome;
          return outcome;
        },
      };
      const cached = createCachedGeocoder(geocoder, { maxEntries: 100, generation: () => 'one', now: () => 1 });
      for (const batch of batches) {
        const kinds = (await cached.geocodeAll?.(batch))?.map(kindOf);
        expect(kinds).toEqual(batch.map((one) => kindOf(outcomeOf(one))));
        expect(asked).toHaveLength(new Set(asked).size);
        // Failures are asked for again in the next batch, nothing else ever.
        asked = asked.filter((one) => !one.endsWith('C'));
      }
    }),
    { numRuns: 60 },
  );
});

function kindOf(outcome: GeocodeOutcome): string {
  if (outcome instanceof GeocoderUnavailableError) return 'down';
  return 'noMatch' in outcome ? outcome.noMatch : 'match';
}
