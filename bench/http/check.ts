import { isDeepStrictEqual } from 'node:util';
import { WrongAnswerError } from '../lib/suite.js';
import type { TargetServer } from '../lib/target-server.js';
import type { KnownAsk } from './endpoints.js';
import { valueAt } from './json-path.js';

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
    if (status !== 200) throw unexpectedStatus(what, status, body);
    bytes += Buffer.byteLength(body);
    const answer: unknown = JSON.parse(body);
    for (const [path, value] of Object.entries(ask.expected())) {
      const found = valueAt(answer, path);
      if (isDeepStrictEqual(found, value)) continue;
      throw new WrongAnswerError(`${what} has ${JSON.stringify(found)} at ${path}, not ${JSON.stringify(value)}`);
    }
  }
  return { count: asks.length, meanBodyBytes: Math.round(bytes / asks.length) };
}

/** What to do about an answer by which the service does not let the bench ask. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'the service requires a key: pass one with --key',
  403: 'the service refuses the key: pass a valid one with the scope read with --key',
  429:
    'the rate limit of the key is too low for the bench: start the service with RATE_LIMIT_MAX=0, ' +
    'or pass a key with a far higher limit with --key (keys issue --rate-limit)',
};

/** The error for an answer with a status that was not to be expected; `what` is the request. */
export function unexpectedStatus(what: string, status: number, body: string): WrongAnswerError {
  const remedy = REMEDIES[status];
  return new WrongAnswerError(
    remedy === undefined ? `${what} answers ${status}: ${body.slice(0, 300)}` : `${what} answers ${status}; ${remedy}`,
  );
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
