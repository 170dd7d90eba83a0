import type { Catalog } from '../catalog/catalog.js';
import type { Lease } from '../catalog/leases.js';
import type { Config } from '../config.js';
import type { CountingGeocoder } from '../geocode/counting-geocoder.js';
import { createGeocoder } from '../geocode/create-geocoder.js';
import { unreadableRanges } from '../geocode/embedded.js';
import { NothingToGeocodeByError } from '../geocode/geocoder.js';
import type { OpenGeneration } from '../http/generation.js';
import type { Logger } from '../log.js';
import type { Turns } from '../outbound/turns.js';
import { packageVersion } from '../platform/package-root.js';
import type { QueryPool } from '../pool/pool.js';

interface GeocoderDeps {
  readonly catalog: Pick<Catalog<OpenGeneration>, 'current' | 'acquire'>;
  readonly logger: Logger;
  /** Aborted once the last requests have been answered. */
  readonly closing: AbortSignal;
  /** Shared by all processes; undefined if this process serves alone. */
  readonly nominatimTurns: Turns | undefined;
}

/** Opens the configured geocoder over the live dataset. */
export function openGeocoder(config: Config, deps: GeocoderDeps): CountingGeocoder {
  const { catalog, logger, closing, nominatimTurns } = deps;
  const { geocoder: names, nominatimContact: contact } = config;
  const upstream = names.filter((name) => name !== 'embedded');
  if (upstream.length > 0) logger.warn({ geocoders: upstream }, 'addresses are sent to geocoders outside this machine');
  return createGeocoder({
    names,
    current: () => catalog.current()?.dataset,
    matchElsewhere: (addresses) => matchInPool(catalog.acquire, addresses),
    cacheMaxEntries: config.geocoderCacheMaxSize,
    censusUrl: config.censusUrl,
    nominatimUrl: config.nominatimUrl,
    nominatimRequestsPerSecond: config.nominatimRequestsPerSecond,
    nominatimTurns,
    upstream: {
      fetch,
      userAgent: `tract-context/${packageVersion()}${contact && ` (${contact})`}`,
      timeoutMs: config.geocoderTimeoutMs,
      now: () => performance.now(),
      closing,
      random: Math.random,
      onFailure: (geocoder, reason) => logger.warn({ geocoder, reason }, 'an upstream geocoder failed'),
    },
  });
}

/** The part of a generation that matches addresses on its worker threads. */
export interface MatchingGeneration {
  readonly dataset: { readonly addresses: unknown };
  readonly pool: Pick<QueryPool, 'run'>;
}

/**
 * Matches a batch's addresses on a worker thread, over the generation that is live now: after other geocoders have been
 * asked, it may not be the request's own, so it is leased. Throws PoolError if no thread can, NothingToGeocodeByError if no
 * address ranges are loaded, and another GeocoderUnavailableError if they cannot be read.
 */
export async function matchInPool(
  acquire: () => Lease<MatchingGeneration> | undefined,
  addresses: readonly string[],
): Promise<Uint8Array> {
  const lease = acquire();
  try {
    if (!lease?.value.dataset.addresses) throw new NothingToGeocodeByError('no address ranges are loaded');
    const reply = await lease.value.pool.run({ kind: 'geocode', addresses });
    if (!reply.ok) throw unreadableRanges();
    return reply.body;
  } finally {
    lease?.release();
  }
}
