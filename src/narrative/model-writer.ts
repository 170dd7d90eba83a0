import { CallError } from '../outbound/call-error.js';
import { createCaller } from '../outbound/caller.js';
import { requestText } from '../outbound/request-text.js';
import type { TractFacts } from './facts.js';
import { PROVIDER_APIS, type ProviderAccount, type ProviderName } from './model-apis.js';
import { plainText } from './plain-text.js';
import { narrativePrompt } from './prompt.js';

/** How a language model is called. */
export interface ModelOptions extends ProviderAccount {
  readonly provider: ProviderName;
  /** The timeout for one summary, including the time spent waiting for a free slot. */
  readonly timeoutMs: number;
  /** The most concurrent requests to the provider. */
  readonly maxConcurrent: number;
  readonly fetch: typeof fetch;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Aborts when summaries are no longer needed. */
  readonly closing: AbortSignal;
}

/** Has a language model write a summary. Rejects with {@link CallError} if the provider returns none. */
export type ModelWriter = (facts: TractFacts) => Promise<string>;

/** A longer text is not what was requested. It is rejected, not truncated: half a sentence can say the opposite. */
const MAX_TEXT_CHARACTERS = 2000;

/** Calls that may wait, per slot. With more, waiting takes too long, and the rule-based text is the better answer. */
const WAITING_PER_PLACE = 4;
const COOL_DOWN_MS = 60_000;
/** Far above a normal response, which is a few kilobytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

export function createModelWriter(options: ModelOptions): ModelWriter {
  const { provider, timeoutMs, maxConcurrent, now, closing, fetch } = options;
  const api = PROVIDER_APIS[provider];
  const rules = { maxConcurrent, minIntervalMs: 0, maxWaiting: maxConcurrent * WAITING_PER_PLACE };
  const caller = createCaller({ rules, timeoutMs, coolDownMs: COOL_DOWN_MS, now });
  closing.addEventListener('abort', caller.close, { once: true });

  return (facts) =>
    caller.call(async (signal) => {
      const { url, headers, body } = api.request(options, narrativePrompt(facts));
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

/** What a reasoning model thinks before it writes, which some compatible servers leave in the text. */
const REASONING = /^.*<\/think>|<think>.*$/gs;

function checkText(raw: string | undefined): string {
  const text = plainText((raw ?? '').replace(REASONING, ''));
  if (text === '') throw new CallError('no-text');
  if (text.length > MAX_TEXT_CHARACTERS) throw new CallError('too-long');
  return text;
}
