import { geoidFromNumber, stateFipsOf } from '../../src/core/geoid.js';
import type { Service } from '../lib/service.js';

export const SUBSCRIBERS = 100;
/** The most subscriptions that a key may have. */
const PER_KEY = 10;

/** The subscribers' API keys, besides the one that the load client uses. */
export const SUBSCRIBER_KEYS = Array.from({ length: SUBSCRIBERS / PER_KEY }, (_, at) => `subscriber-${at}`);

/** A subscriber to the changes of one state. Subscribers are spread evenly over the states. */
export interface Subscriber {
  readonly path: string;
  readonly key: string;
  readonly state: string;
}

export function planSubscribers(states: readonly string[]): Subscriber[] {
  return Array.from({ length: SUBSCRIBERS }, (_, at) => ({
    path: `/${at}`,
    key: SUBSCRIBER_KEYS[Math.floor(at / PER_KEY)] ?? '',
    state: states[at % states.length] ?? '',
  }));
}

/** Creates all subscriptions, each with a secret, so that every delivery is signed. */
export async function subscribeAll(service: Service, receiverUrl: string, all: readonly Subscriber[]): Promise<void> {
  for (const { path, key, state } of all) {
    const subscription = {
      url: `${receiverUrl}${path}`,
      events: ['data.updated'],
      secret: `secret of ${path}`,
      filters: { state_fips: [state] },
    };
    const response = await fetch(`${service.url}/v1/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(subscription),
    });
    if (response.status !== 201) throw new Error(`a subscription was answered ${response.status}`);
  }
}

/** The number of events that each subscriber should get for these changed tracts, by path. */
export function expectedEvents(all: readonly Subscriber[], changed: Float64Array): Record<string, number> {
  const byState = new Map<string, number>();
  for (const geoid of changed) {
    const state = stateFipsOf(geoidFromNumber(geoid));
    byState.set(state, (byState.get(state) ?? 0) + 1);
  }
  return Object.fromEntries(all.map(({ path, state }) => [path, byState.get(state) ?? 0]));
}
