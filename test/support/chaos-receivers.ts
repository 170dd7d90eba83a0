import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type Answer, type ReceivedRequest, startFakeServer } from './fake-server.js';

/** How a receiver behaves. A healthy one acknowledges every event in the end. */
export interface Behaviour {
  readonly name: string;
  readonly healthy: boolean;
  readonly filters?: { readonly state_fips: readonly string[] };
  /** Answers a request. `seen` is how often this event has arrived so far, `count` the number of all requests so far. */
  answer(response: ServerResponse, seen: number, count: number): void | Promise<void>;
}

/** An event, and how often it arrived in each run of the service. */
export interface ReceivedEvent {
  readonly geoid: string;
  readonly timesByRun: ReadonlyMap<number, number>;
}

/** A running receiver, and what it has received. */
export interface ChaosReceiver extends Behaviour {
  readonly url: string;
  readonly secret: string;
  /** By webhook id, in the order of first arrival, whatever was answered. */
  readonly events: ReadonlyMap<string, ReceivedEvent>;
  /** Requests that were not meant for this receiver: with another one's signature, or for a wrong path. */
  readonly strays: readonly string[];
  requests(): number;
}

const arrive = (response: ServerResponse): void => void response.writeHead(204).end();
const fail = (response: ServerResponse): void => void response.writeHead(500).end();

/** Sends an endless body until the client closes the connection. */
function flood(response: ServerResponse): void {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    response.once('drain', more);
  };
  more();
}

/** All kinds of receivers; `elsewhere` is the target of redirects. */
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

/** Starts a receiver. `onRequest` is called for each request and gives the run of the service that sent it. */
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
