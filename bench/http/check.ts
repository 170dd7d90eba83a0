import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../lib/json-path.js';
import { WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import type { KnownAsk } from './endpoints.js';

/** The number of checked answers, and the mean size of their bodies. */
export interface CheckedAnswers {
  readonly count: number;
  readonly meanBodyBytes: number;
}

/**
 * Sends the requests one by one and compares every answer with its expected values. Throws {@link WrongAnswerError} for the
 * first one that differs.
 */
export async function checkAnswers(target: TargetServer, asks: readonly KnownAsk[]): Promise<CheckedAnswers> {
  let bytes = 0;
  for (const ask of asks) {
    const { status, body } = await askOnce(target, ask);
    const what = `${ask.method} ${ask.path}`;
    if (status === 429) throw new WrongAnswerError(`${what} is refused by the rate limit: give the key a larger one`);
    if (status !== 200) throw new WrongAnswerError(`${what} answers ${status}: ${body.slice(0, 300)}`);
    bytes += Buffer.byteLength(body);
    const answer: unknown = JSON.parse(body);
    for (const [path, value] of Object.entries(ask.expected())) {
      const found = valueAt(answer, path);
      if (isDeepStrictEqual(found, value)) continue;
      throw new WrongAnswerError(`${what} holds ${JSON.stringify(found)} at ${path}, not ${JSON.stringify(value)}`);
    }
  }
  return { count: asks.length, meanBodyBytes: Math.round(bytes / asks.length) };
}

/** Sends one request and reads the whole answer. */
export async function askOnce(
  { url, headers }: Pick<TargetServer, 'url' | 'headers'>,
  { method, path, body }: Omit<KnownAsk, 'expected'>,
): Promise<{ readonly status: number; readonly body: string }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}
