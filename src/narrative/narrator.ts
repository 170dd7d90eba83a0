import { LRUCache } from 'lru-cache';
import { CallError, type CallFailure } from '../outbound/call-error.js';
import { closingSentence } from './closing.js';
import type { TractFacts } from './facts.js';
import { createModelWriter, type ModelOptions } from './model-writer.js';
import { rulesText } from './rules.js';

/** Writes summaries of tracts. */
export interface Narrator {
  /** One paragraph of plain text. Never rejects for a provider's sake: the rule-based text stands in. */
  summarize(facts: TractFacts): Promise<string>;
  stats(): NarratorStats;
}

/** Counts of summaries since the start. */
export interface NarratorStats {
  /** Written as configured, answers from the cache included. */
  readonly ok: number;
  /** In which the rule-based text stood in for the provider. */
  readonly failures: number;
}

export type NarratorOptions = RulesOptions | ModelNarratorOptions;

export interface RulesOptions {
  readonly provider: 'rules';
}

export interface ModelNarratorOptions extends ModelOptions {
  /** Summaries kept in memory, a few kilobytes each; 1,000 unless told. */
  readonly cacheMaxEntries?: number | undefined;
  /** Is told why a provider failed, for the log: the reason holds nothing of the request, the key or the answer. */
  readonly onFailure?: ((reason: CallFailure) => void) | undefined;
}

const CACHE_MAX_ENTRIES = 1000;

/** A narrator as configured. */
export function createNarrator(options: NarratorOptions): Narrator {
  return options.provider === 'rules' ? createRulesNarrator() : createModelNarrator(options);
}

function createRulesNarrator(): Narrator {
  let ok = 0;
  return {
    summarize: async (facts) => {
      const text = rulesText(facts);
      ok++;
      return text;
    },
    stats: () => ({ ok, failures: 0 }),
  };
}

function createModelNarrator(options: ModelNarratorOptions): Narrator {
  const write = createModelWriter(options);
  // Only finished texts come in: a failure must not outlive its cause.
  const cache = new LRUCache<string, string>({ max: options.cacheMaxEntries ?? CACHE_MAX_ENTRIES });
  const inFlight = new Map<string, Promise<string>>();
  const counts = { ok: 0, failures: 0 };

  return {
    summarize: async (facts) => {
      try {
        const text = await summaryOf(facts);
        counts.ok++;
        return text;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        counts.failures++;
        return rulesText(facts);
      }
    },
    stats: () => ({ ...counts }),
  };

  /** From the cache, from a request that is under way, or from a new one. */
  function summaryOf(facts: TractFacts): string | Promise<string> {
    const key = cacheKey(options, facts);
    const known = cache.get(key) ?? inFlight.get(key);
    if (known !== undefined) return known;
    const summary = writeNew(key, facts).finally(() => inFlight.delete(key));
    inFlight.set(key, summary);
    return summary;
  }

  async function writeNew(key: string, facts: TractFacts): Promise<string> {
    try {
      const text = `${await write(facts)} ${closingSentence(facts, 'This AI-generated summary')}`;
      cache.set(key, text);
      return text;
    } catch (error) {
      if (error instanceof CallError) options.onFailure?.(error.reason);
      throw error;
    }
  }
}

function cacheKey({ provider, model }: ModelNarratorOptions, { generation, geoid }: TractFacts): string {
  return JSON.stringify([generation, geoid, provider, model]);
}
