import { z } from 'zod';
import type { CallRules } from '../../outbound/slot-queue.js';
import { type GeocodeOutcome, type GeocodeResult, type Geocoder, unavailableOrThrow } from '../geocoder.js';
import { askForOne, type UpstreamOptions } from './ask-for-one.js';
import type { BatchRow } from './census-batch.js';
import { splitAddress } from './split-address.js';
import { isRefused, UpstreamError } from './upstream-error.js';

/** The Census Bureau states no rate, but asks for restraint. A batch may ask for each of its addresses separately. */
export const CENSUS_RULES: CallRules = { maxConcurrent: 4, minIntervalMs: 50, maxWaiting: 200 };

/** The newest published address ranges. */
const BENCHMARK = 'Public_AR_Current';

/** The part that is needed of https://geocoding.geo.census.gov/geocoder/Geocoding_Services_API.html. */
const answerSchema = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        matchedAddress: z.string().min(1).max(500),
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

/**
 * The Census Bureau's geocoder. Positions are interpolated along address ranges. Several addresses are sent as one file
 * if they can be split into street, city, state and ZIP.
 */
export function createCensusGeocoder({ call, baseUrl, tractAt }: UpstreamOptions): Geocoder {
  const locations = `${baseUrl}/locations`;
  // Loads a CSV parser, which only this geocoder needs. Not left to the first batch: if Node fails to load a module for want
  // of a file descriptor, it never loads it again.
  const batchFiles = import('./census-batch.js');
  // Told by each batch.
  batchFiles.catch(() => {});

  return { geocode, geocodeAll };

  function geocode(address: string): Promise<GeocodeResult> {
    return askForOne(
      { call, tractAt },
      {
        endpoint: `${locations}/onelineaddress`,
        parameters: { address, benchmark: BENCHMARK, format: 'json' },
        schema: answerSchema,
        candidatesIn: ({ result }) =>
          result.addressMatches.map(({ matchedAddress, coordinates: { x, y } }) => {
            return { lat: y, lng: x, matchedAddress, matchType: 'interpolated' };
          }),
      },
    );
  }

  async function geocodeAll(addresses: readonly string[]): Promise<GeocodeOutcome[]> {
    const rows = addresses.flatMap((address, id): BatchRow[] => {
      const parts = splitAddress(address);
      return parts ? [{ id, ...parts }] : [];
    });
    // A file with one address is no faster than asking for it.
    const inFile = new Set(rows.length > 1 ? rows.map(({ id }) => id) : []);
    const file = inFile.size > 0 ? askForFile(rows).catch(unavailableOrThrow) : undefined;
    const alone = (address: string): Promise<GeocodeOutcome> => geocode(address).catch(unavailableOrThrow);
    return Promise.all(
      addresses.map(async (address, id) => {
        if (!file || !inFile.has(id)) return alone(address);
        const answer = await file;
        // One address may be what makes the geocoder refuse the file; the others are not at fault.
        if (!(answer instanceof Map)) return isRefused(answer) ? alone(address) : answer;
        const result = answer.get(id) ?? new UpstreamError('census', 'unexpected-answer');
        // The file does not list the places that tie; they may all be in one tract.
        return 'noMatch' in result && result.noMatch === 'tie' ? alone(address) : result;
      }),
    );
  }

  async function askForFile(rows: readonly BatchRow[]): Promise<Map<number, GeocodeResult>> {
    const { addressFile, readBatchAnswer } = await batchFiles;
    const form = new FormData();
    form.append('addressFile', addressFile(rows), 'addresses.csv');
    form.append('benchmark', BENCHMARK);
    return call({ url: new URL(`${locations}/addressbatch`), form, accept: 'text/csv' }, readBatchAnswer);
  }
}
