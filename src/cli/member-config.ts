import type { Config } from '../config.js';

/**
 * The settings of one of several processes, which gets its share of each limit that is set for the whole service. The shares
 * of a cache add up to the setting; of concurrent narrative calls, every process gets at least one.
 */
export function configOfMember(config: Config, index: number): Config {
  const { processes } = config;
  const share = (whole: number): number => Math.floor(whole / processes) + (index < whole % processes ? 1 : 0);
  return {
    ...config,
    cacheMaxSize: share(config.cacheMaxSize),
    cacheMaxBytes: share(config.cacheMaxBytes),
    geocoderCacheMaxSize: share(config.geocoderCacheMaxSize),
    narrativeMaxConcurrent: Math.max(1, share(config.narrativeMaxConcurrent)),
  };
}
