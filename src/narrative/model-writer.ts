import { CallError } from '../outbound/call-error.js';
import { createCaller } from '../outbound/caller.js';
import { requestText } from '../outbound/request-text.js';
import type { TractFacts } from './facts.js';
import { plainText } from './plain-text.js';
import { narrativePrompt } from './prompt.js';
import { PROVIDER_APIS, type ProviderName } from './providers.js';

/** How a language model is asked. */
export interface ModelOptions {
  readonly provider: ProviderName;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Undefined for the provider's public endpoint. */
  readonly baseUrl?: string | undefined;
  /** For one summary, from the moment it is asked for: waiting for a free place counts. */
  readonly timeoutMs: number;
  /** Requests to the provider at the same time. */
  readonly maxConcurrent: number;
  readonly fetch: typeof fetch;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
  /** Aborts when nobody waits for summaries any more. */
  readonly closing: AbortSignal;
}

/** Writes a summary by a language model. Rejects with {@link CallError} where the provider gives none. */
export type ModelWriter = (facts: TractFacts) => Promise<string>;

/** A longer text is not what was asked for, and is not shown in part: half a sentence can say the opposite. */
const MAX_TEXT_CHARACTERS = 2000;

/** Callers that may wait for a free place, for each place. Beyond them the rule-based text is the better answer. */
const WAITING_PER_PLACE = 4;
const COOL_DOWN_MS = 60_000;
/** Answers are a few kilobytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

export function createModelWriter(options: ModelOptions): ModelWriter {
  const { provider, model, apiKey, baseUrl, timeoutMs, maxConcurrent, now, closing, fetch } = options;
  const api = PROVIDER_APIS[provider];
  const account = { baseUrl, apiKey, model };
  const rules = { maxConcurrent, minIntervalMs: 0, maxWaiting: maxConcurrent * WAITING_PER_PLACE };
  const caller = createCaller({ rules, timeoutMs, coolDownMs: COOL_DOWN_MS, now });
  closing.addEventListener('abort', caller.close, { once: true });

  return (facts) =>
    caller.call(async (signal) => {
      const { url, headers, body } = api.request(account, narrativePrompt(facts));
      const answer = await requestText(
        { url, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) },
        { fetch, maxBytes: MAX_ANSWER_BYTES, signal },
      );
      return checkText(api.textOf(parseJson(answer)));
    });
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CallError('not-json');
  }
}

function checkText(raw: string | undefined): string {
  const text = plainText(raw ?? '');
  if (text === '') throw new CallError('no-text');
  if (text.length > MAX_TEXT_CHARACTERS) throw new CallError('too-long');
  return text;
}
