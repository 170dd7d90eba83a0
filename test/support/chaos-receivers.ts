import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Answer, type ReceivedRequest, startFakeServer } from './fake-server.js';

/** How a receiver behaves. Those that are healthy acknowledge every event in the end. */
export interface Behaviour {
  readonly name: string;
  readonly healthy: boolean;
  readonly filters?: { readonly state_fips: readonly string[] };
  /** `seen` counts how often this event has come. */
  answer(response: ServerResponse, seen: number, count: number): void | Promise<void>;
}

/** An event, and how often it has come in each run of the service. */
export interface ReceivedEvent {
  readonly geoid: string;
  readonly timesByRun: ReadonlyMap<number, number>;
}

/** A receiver, and what it has had. */
export interface ChaosReceiver extends Behaviour {
  readonly url: string;
  readonly secret: string;
  /** In the order in which they came, whatever was answered. */
  readonly events: ReadonlyMap<string, ReceivedEvent>;
  /** Requests that were not meant for it: signed for another one, or at a wrong place. */
  readonly strays: readonly string[];
  requests(): number;
}

const arrive = (response: ServerResponse): void => void response.writeHead(204).end();
const fail = (response: ServerResponse): void => void response.writeHead(500).end();

/** Sends without end, until the other side has had enough. */
function flood(response: ServerResponse): void {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    response.once('drain', more);
  };
  more();
}

/** All that a receiver can do; `elsewhere` is where redirects lead. */
export function behaviours(elsewhere: string): Behaviour[] {
  return [
    { name: 'prompt', healthy: true, answer: arrive },
    { name: 'prompt, too', healthy: true, answer: arrive },
    { name: 'one state', healthy: true, filters: { state_fips: ['11'] }, answer: arrive },
    { name: 'takes 5 ms', healthy: true, answer: (response) => delay(5).then(() => arrive(response)) },
    {
      name: 'sometimes 500',
      healthy: true,
      answer: (response, seen, count) => (seen === 1 && count % 200 === 0 ? fail(response) : arrive(response)),
    },
    {
      name: 'sometimes drops',
      healthy: true,
      answer: (response, seen, count) => (seen === 1 && count % 200 === 0 ? void response.destroy() : arrive(response)),
    },
    {
      name: 'sometimes 12 s',
      healthy: true,
      answer: (response, seen, count) =>
        seen === 1 && count === 500 ? delay(12_000).then(() => arrive(response)) : arrive(response),
    },
    { name: 'floods', healthy: true, answer: flood },
    { name: 'always 500', healthy: false, answer: fail },
    { name: 'hangs', healthy: false, answer: () => {} },
    { name: 'always drops', healthy: false, answer: (response) => void response.destroy() },
    { name: 'takes 3 s', healthy: false, answer: (response) => delay(3000).then(() => arrive(response)) },
    {
      name: 'redirects',
      healthy: false,
      answer: (response) => void response.writeHead(307, { location: elsewhere }).end(),
    },
  ];
}

/** `onRequest` gives the run of the service that the request belongs to. */
export async function startChaosReceiver(behaviour: Behaviour, onRequest: () => number): Promise<ChaosReceiver> {
  const secret = `secret of ${behaviour.name}`;
  const verifier = new Webhook(secret, { format: 'raw' });
  const events = new Map<string, { geoid: string; timesByRun: Map<number, number> }>();
  const strays: string[] = [];
  let count = 0;
  const note = (request: ReceivedRequest, run: number): number => {
    const id = String(request.headers['webhook-id']);
    const seen = events.get(id) ?? { geoid: String(JSON.parse(request.body).data.geoid), timesByRun: new Map() };
    events.set(id, seen);
    seen.timesByRun.set(run, (seen.timesByRun.get(run) ?? 0) + 1);
    return [...seen.timesByRun.values()].reduce((sum, times) => sum + times);
  };
  const answer: Answer = (response, request) => {
    const run = onRequest();
    count++;
    try {
      verifier.verify(request.body, flatten(request));
    } catch (error) {
      strays.push(String(error));
    }
    if (request.path !== '/mine') strays.push(String(request.path));
    return behaviour.answer(response, note(request, run), count);
  };
  const server = await startFakeServer(answer);
  return { ...behaviour, url: `${server.url}/mine`, secret, events, strays, requests: () => count };
}

function flatten({ headers }: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
