import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { createNarrator, type Narrator } from '../narrative/narrator.js';

/** Opens the configured writer of narratives. Calls to a provider end when `closing` is aborted. */
export function openNarrator(config: Config, logger: Logger, closing: AbortSignal): Narrator {
  const { narrativeProvider: provider } = config;
  if (provider === 'rules') return createNarrator({ provider });
  return createNarrator({
    provider,
    model: config.narrativeModel,
    apiKey: config.narrativeApiKey || undefined,
    baseUrl: config.narrativeBaseUrl || undefined,
    timeoutMs: config.narrativeTimeoutMs,
    maxConcurrent: config.narrativeMaxConcurrent,
    fetch,
    now: () => performance.now(),
    closing,
    onFailure: (reason) => logger.warn({ reason }, 'the narrative provider failed; the rules wrote the narrative'),
  });
}
