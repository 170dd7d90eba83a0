import { LRUCache } from 'lru-cache';
import { CallError, type CallFailure } from '../outbound/call-error.js';
import { closingSentence } from './closing.js';
import type { TractFacts } from './facts.js';
import { createModelWriter, type ModelOptions } from './model-writer.js';
import { rulesText } from './rules.js';

/** Writes summaries of tracts. */
export interface Narrator {
  /** One paragraph of plain text. A provider's failure never rejects it: the rule-based text stands in. */
  summarize(facts: TractFacts): Promise<string>;
  stats(): NarratorStats;
}

/** Counts of summaries since the start. */
export interface NarratorStats {
  /** Summaries written as configured, including those from the cache. */
  readonly ok: number;
  /** Summaries for which the rule-based text stood in for the provider. */
  readonly failures: number;
}

export type NarratorOptions = RulesOptions | ModelNarratorOptions;

export interface RulesOptions {
  readonly provider: 'rules';
}

export interface ModelNarratorOptions extends ModelOptions {
  /** The most summaries kept in memory, a few kilobytes each; 1,000 by default. */
  readonly cacheMaxEntries?: number | undefined;
  /** Called with the reason when a provider fails. For logs: it contains nothing of the request, key or response. */
  readonly onFailure?: ((reason: CallFailure) => void) | undefined;
}

const CACHE_MAX_ENTRIES = 1000;

/** Creates the configured narrator. */
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
  // Only finished texts are cached: a failure must not outlive its cause.
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

  /** Takes the summary from the cache, from a request in flight, or from a new request. */
  function summaryOf(facts: TractFacts): string | Promise<string> {
    const key = `${facts.generation} ${facts.geoid}`;
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
