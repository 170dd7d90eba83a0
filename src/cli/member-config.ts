import type { Config } from '../config.js';

/**
 * The settings of one of several processes: it has its share of what is meant for the whole service. The shares of a cache
 * add up to the setting; of calls at the same time every process gets at least one.
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
