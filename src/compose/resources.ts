import type { Catalog } from '../catalog/catalog.js';
import type { Config } from '../config.js';
import type { OpenGeneration } from '../http/generation.js';
import { type LiveKeys, openLiveKeys } from '../keys/live-keys.js';
import { describeError, type Logger } from '../log.js';
import { openState } from '../state/open-state.js';
import type { StateStore } from '../state/store.js';
import { endOnBrokenState } from './broken-state.js';
import { type LiveCatalogOptions, openLiveCatalog } from './catalog.js';

/** What a process holds open as long as it serves. */
export interface Resources {
  readonly state: StateStore;
  readonly keys: LiveKeys;
  readonly catalog: Catalog<OpenGeneration>;
  close(): Promise<void>;
}

/** Rejects, with nothing left open, if the state directory cannot be used. */
export async function openResources(config: Config, logger: Logger, options: LiveCatalogOptions): Promise<Resources> {
  // The first of several processes has opened it before it started this one.
  const mustExist = options.following !== undefined;
  const state = await openState(config.stateDir, { mustExist, onBroken: endOnBrokenState(logger) });
  const keys = await openKeys(state, config, logger).catch(async (error: unknown) => {
    await state.close();
    throw error;
  });
  const catalog = openLiveCatalog(config, logger, options);
  return {
    state,
    keys,
    catalog,
    close: async () => {
      await catalog.close();
      await keys.close();
      await state.close();
    },
  };
}

async function openKeys(state: StateStore, { apiKeys }: Config, logger: Logger): Promise<LiveKeys> {
  const keys = await openLiveKeys({
    state,
    entries: apiKeys,
    nowMs: Date.now,
    onError: (error, what) =>
      logger.error({ what, ...describeError(error) }, 'keys could not be read from or written to the state'),
  });
  if (keys.keyring.size === 0)
    logger.warn('no API key is set or issued: every request to /v1 gets 401 or 403; run "keys issue" or set API_KEYS');
  return keys;
}
