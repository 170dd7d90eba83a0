import { createRandom } from '../../src/load/synthetic/random.js';
import { CONTEXT, ENDPOINTS, type Endpoint, type KnownAsk, NEARBY, RANKINGS, TRACT } from './endpoints.js';
import type { Place, World } from './world.js';

/**
 * The number of cold requests. Endpoints whose laps repeat the same requests get one for each place if there are more
 * places, so that the caches have long dropped an answer when its request comes again.
 */
const COLD_ASKS = 32_768;
const ALL_DIFFERENT = 'all different';
/** Twice the answers that the response cache holds by default. */
const LEAST_DIFFERENT = 20_000;
const HOT_ASKS = 100;
/** The share of requests in the mix that ask about the few popular places. */
const POPULAR_SHARE = 0.5;
const POPULAR_PLACES = 500;

/** The endpoints of the mix, by weight: pages about one place, then searches, then the rest. */
const MIX: readonly (readonly [weight: number, endpoint: Endpoint])[] = [
  [40, CONTEXT],
  [20, TRACT],
  [15, NEARBY],
  [10, RANKINGS],
  [5, named('compare, with the county')],
  [4, named('trends')],
  [4, named('providers, 5 miles, limit 50')],
  [2, named('/v1/dictionary')],
];

/**
 * Requests that do not repeat: not in any lap if the endpoint's paths change with the lap, otherwise not within a lap, as
 * far as there are enough places.
 */
export function coldAsks(endpoint: Endpoint, world: World, seed: number): KnownAsk[] {
  const random = createRandom(seed, endpoint.name);
  if (!endpoint.varies) return take(endpoint, world.places.slice(0, 1), world, seed);
  const one = endpoint.ask(world, placeAt(world.places, 0), createRandom(seed, endpoint.name));
  const count = one.lapDigitsAt === undefined ? Math.max(COLD_ASKS, world.places.length) : COLD_ASKS;
  return Array.from({ length: count }, (_, turn) => endpoint.ask(world, placeAt(world.places, turn), random));
}

/** What cold requests are: all different, or else so few different ones in turn that a cache could hold all answers. */
export function coldName(asks: readonly KnownAsk[]): string {
  if (asks.some(({ lapDigitsAt }) => lapDigitsAt !== undefined)) return ALL_DIFFERENT;
  const different = new Set(asks.map(({ path, body = '' }) => `${path} ${body}`)).size;
  return different < LEAST_DIFFERENT ? `${different} in turn` : ALL_DIFFERENT;
}

/** A small set of requests, the same in every lap, whose answers caches can hold. */
export function hotAsks(endpoint: Endpoint, world: World, seed: number): KnownAsk[] {
  return take(endpoint, world.places.slice(0, HOT_ASKS), world, seed);
}

/** A realistic mix of endpoints and places. */
export function mixedAsks(world: World, seed: number): KnownAsk[] {
  const random = createRandom(seed, 'mix');
  const draws = MIX.flatMap(([weight, endpoint]) => Array.from({ length: weight }, () => endpoint));
  return Array.from({ length: COLD_ASKS }, (_, turn) => {
    const endpoint = draws[Math.floor(random.next() * draws.length)] ?? CONTEXT;
    const popular = random.next() < POPULAR_SHARE;
    if (!popular) return endpoint.ask(world, placeAt(world.places, turn), random);
    const position = Math.floor(random.next() * POPULAR_PLACES);
    return sameInEveryLap(endpoint.ask(world, placeAt(world.places, position), random));
  });
}

function take(endpoint: Endpoint, places: readonly Place[], world: World, seed: number): KnownAsk[] {
  const random = createRandom(seed, endpoint.name, 'hot');
  return places.map((place) => sameInEveryLap(endpoint.ask(world, place, random)));
}

function sameInEveryLap({ method, path, body, expected }: KnownAsk): KnownAsk {
  return { method, path, ...(body === undefined ? {} : { body }), expected };
}

function placeAt(places: readonly Place[], turn: number): Place {
  const place = places[turn % places.length];
  if (!place) throw new Error('there is no place to ask about');
  return place;
}

function named(name: string): Endpoint {
  const found = ENDPOINTS.find((endpoint) => endpoint.name === name);
  if (!found) throw new Error(`there is no endpoint ${name}`);
  return found;
}
