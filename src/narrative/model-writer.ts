import Bottleneck from 'bottleneck';
import { createCircuit } from '../outbound/circuit.js';
import { startDeadline } from '../outbound/deadline.js';
import type { TractFacts } from './facts.js';
import { plainText } from './plain-text.js';
import { narrativePrompt } from './prompt.js';
import { callProvider, ProviderError } from './provider-call.js';
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
}

/** Writes a summary by a language model. Rejects with ProviderError where the provider gives none. */
export type ModelWriter = (facts: TractFacts) => Promise<string>;

/** A longer text is not what was asked for, and is not shown in part: half a sentence can say the opposite. */
const MAX_TEXT_CHARACTERS = 2000;

/** Callers that may wait for a free place, for each place. Beyond them the rule-based text is the better answer. */
const WAITING_PER_PLACE = 4;
const FAILURE_LIMIT = 5;
const COOL_DOWN_MS = 60_000;

export function createModelWriter(options: ModelOptions): ModelWriter {
  const { provider, model, apiKey, baseUrl, timeoutMs, maxConcurrent, now } = options;
  const api = PROVIDER_APIS[provider];
  const account = { baseUrl, apiKey, model };
  const circuit = createCircuit({ failureLimit: FAILURE_LIMIT, coolDownMs: COOL_DOWN_MS, now });
  const limiter = new Bottleneck({
    maxConcurrent,
    highWater: maxConcurrent * WAITING_PER_PLACE,
    strategy: Bottleneck.strategy.OVERFLOW,
  });

  return async (facts) => {
    const deadline = startDeadline(timeoutMs, () => new ProviderError('timeout'));
    try {
      return await Promise.race([limiter.schedule(() => ask(facts, deadline.signal)), deadline.passed]);
    } catch (error) {
      // The limiter's own error says that too many are waiting.
      throw error instanceof Bottleneck.BottleneckError ? new ProviderError('busy') : error;
    } finally {
      deadline.cancel();
    }
  };

  async function ask(facts: TractFacts, signal: AbortSignal): Promise<string> {
    // Nobody waits for this answer any more. The provider was not asked, so its circuit learns nothing.
    if (signal.aborted) throw new ProviderError('busy');
    if (!circuit.tryEnter()) throw new ProviderError('cooling-down');
    try {
      const answer = await callProvider(options.fetch, api.request(account, narrativePrompt(facts)), signal);
      const text = checkText(api.textOf(answer));
      circuit.succeeded();
      return text;
    } catch (error) {
      circuit.failed(error instanceof ProviderError ? error.restMs : undefined);
      throw error;
    }
  }
}

function checkText(raw: string | undefined): string {
  const text = plainText(raw ?? '');
  if (text === '') throw new ProviderError('no-text');
  if (text.length > MAX_TEXT_CHARACTERS) throw new ProviderError('too-long');
  return text;
}
