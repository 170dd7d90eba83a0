import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { deferred } from '../../../../src/core/deferred.js';
import { type GeocodeOutcome, type Geocoder, GeocoderUnavailableError } from '../../../../src/geocode/geocoder.js';
import { createAddressSeal } from '../../../../src/geocode/upstream/address-seal.js';
import { createCachedGeocoder } from '../../../../src/geocode/upstream/cached-geocoder.js';

const MATCH = { lat: 1, lng: 2, matchedAddress: '7 MAIN ST', matchType: 'exact' } as const;
const NONE = { noMatch: 'no match' } as const;
const HOUR_MS = 3_600_000;

function setUp(answer: (address: string) => GeocodeOutcome | Promise<GeocodeOutcome>, maxEntries = 100) {
  let nowMs = 1;
  const geocode = vi.fn<Geocoder['geocode']>(async (address) => {
    const outcome = await answer(address);
    if (outcome instanceof GeocoderUnavailableError) throw outcome;
    return outcome;
  });
  const live: { generation: string | undefined } = { generation: 'one' };
  const generation = () => live.generation;
  const cached = createCachedGeocoder({ geocode }, { maxEntries, generation, now: () => nowMs });
  return { cached, geocode, live, wait: (ms: number) => (nowMs += ms) };
}

describe('what is kept', () => {
  test('is a match for a day', async () => {
    const { cached, geocode, wait } = setUp(() => MATCH);
    for (const hours of [0, 12, 11]) {
      wait(hours * HOUR_MS);
      expect(await cached.geocode('7 Main St')).toEqual(MATCH);
    }
    expect(geocode).toHaveBeenCalledTimes(1);
    wait(2 * HOUR_MS);
    await cached.geocode('7 Main St');
    expect(geocode).toHaveBeenCalledTimes(2);
  });

  test('is no match for ten minutes', async () => {
    const { cached, geocode, wait } = setUp(() => NONE);
    await cached.geocode('7 Main St');
    wait(9 * 60_000);
    expect(await cached.geocode('7 Main St')).toEqual(NONE);
    expect(geocode).toHaveBeenCalledTimes(1);
    wait(2 * 60_000);
    await cached.geocode('7 Main St');
    expect(geocode).toHaveBeenCalledTimes(2);
  });

  test('is never a failure', async () => {
    let outcome: GeocodeOutcome = new GeocoderUnavailableError('down');
    const { cached } = setUp(() => outcome);
    await expect(cached.geocode('7 Main St')).rejects.toThrow('down');
    outcome = MATCH;
    expect(await cached.geocode('7 Main St')).toEqual(MATCH);
  });

  test('is one thing for spellings that differ in case and blanks only', async () => {
    const { cached, geocode } = setUp(() => MATCH);
    for (const address of ['7 Main St, X', ' 7  MAIN\tst ,x', '７ main st,X']) await cached.geocode(address);
    expect(geocode).toHaveBeenCalledTimes(1);
    await cached.geocode('77 Main St, X');
    expect(geocode).toHaveBeenCalledTimes(2);
  });

  test('is recalled only while the generation is live that decided it', async () => {
    const { cached, geocode, live } = setUp(() => MATCH);
    for (const generation of ['one', 'two', 'one', undefined]) {
      live.generation = generation;
      await cached.geocode('7 Main St');
    }
    expect(geocode).toHaveBeenCalledTimes(3);
  });

  test('is nothing that was asked for under one generation and decided under another', async () => {
    const gate = deferred<GeocodeOutcome>();
    const { cached, geocode, live } = setUp(() => gate.promise);
    const before = cached.geocode('7 Main St');
    live.generation = 'two';
    const after = cached.geocode('7 Main St');
    expect(geocode).toHaveBeenCalledTimes(2);
    gate.resolve(MATCH);
    expect(await Promise.all([before, after])).toEqual([MATCH, MATCH]);
    live.generation = 'one';
    await cached.geocode('7 Main St');
    expect(geocode).toHaveBeenCalledTimes(3);
    live.generation = 'two';
    await cached.geocode('7 Main St');
    expect(geocode).toHaveBeenCalledTimes(3);
  });

  test('is nothing where no room is given', async () => {
    const { cached, geocode } = setUp(() => MATCH, 0);
    await cached.geocode('7 Main St');
    await cached.geocode('7 Main St');
    expect(geocode).toHaveBeenCalledTimes(2);
  });
});

describe('what is under way', () => {
  test('is not asked for again, by another request or in a batch', async () => {
    const gate = deferred<GeocodeOutcome>();
    const { cached, geocode } = setUp(() => gate.promise);
    const answers = [cached.geocode('a'), cached.geocodeAll?.(['A', 'b', 'a', 'B']), cached.geocode('b')];
    gate.resolve(MATCH);
    expect(await Promise.all(answers)).toEqual([MATCH, [MATCH, MATCH, MATCH, MATCH], MATCH]);
    expect(geocode.mock.calls.flat()).toEqual(['a', 'b']);
  });

  test('fails for all callers that wait for it, and for none after them', async () => {
    const gate = deferred<GeocodeOutcome>();
    const { cached, geocode } = setUp(() => gate.promise);
    const both = Promise.allSettled([cached.geocode('a'), cached.geocode('a')]);
    gate.resolve(new GeocoderUnavailableError('down'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await cached.geocode('a').catch(() => {});
    expect(geocode).toHaveBeenCalledTimes(2);
  });

  test('and has a bug throws it', async () => {
    const { cached } = setUp(() => Promise.reject(new TypeError('bug')));
    await expect(cached.geocode('a')).rejects.toThrow(TypeError);
    await expect(cached.geocodeAll?.(['a', 'b'])).rejects.toThrow(TypeError);
  });
});

describe('a seal', () => {
  const seal = createAddressSeal();
  const address = '7 Zyzzogeton St';
  const sealed = seal.close(address, JSON.stringify({ matchedAddress: address }));

  test('shows neither the address nor what was closed', () => {
    const shown = [seal.keyOf(address), sealed.toString('latin1'), inspect(seal, { depth: 9 })].join();
    expect(shown).not.toMatch(/zyzzogeton/i);
  });

  test('opens by its address alone', () => {
    expect(seal.open('7  ZYZZOGETON ST', sealed)).toContain('Zyzzogeton');
    expect(() => seal.open('8 Zyzzogeton St', sealed)).toThrow();
    expect(() => createAddressSeal().open(address, sealed)).toThrow();
  });

  test('has other keys in each process', () => {
    expect(createAddressSeal().keyOf(address)).not.toBe(seal.keyOf(address));
  });
});
