import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { TEST_KEY } from './service-process.js';

/** The status of a GET with the test's key over one of the agent's connections; reads the body to its end. */
export async function statusOver(agent: Agent, url: string): Promise<number | undefined> {
  const sent = get(url, { agent, headers: { 'X-API-Key': TEST_KEY } });
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  if (response) await once(response, 'end');
  return response?.statusCode;
}
