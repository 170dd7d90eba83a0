import { once } from 'node:events';
import { type Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { TEST_KEY } from './service-process.js';

/** A GET with the test's key over one of the agent's connections. */
export const getOver = (agent: Agent, url: string): ClientRequest =>
  get(url, { agent, headers: { 'X-API-Key': TEST_KEY } });

/** The status of the answer; reads its body to the end. */
export async function statusOf(sent: ClientRequest): Promise<number | undefined> {
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  if (response) await once(response, 'end');
  return response?.statusCode;
}

/** The status of a GET with the test's key over one of the agent's connections. */
export const statusOver = (agent: Agent, url: string): Promise<number | undefined> => statusOf(getOver(agent, url));
