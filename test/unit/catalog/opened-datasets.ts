import { onTestFinished, vi } from 'vitest';
import { createChecks, type RunCheck } from '../../../src/catalog/admin/check-threads.js';
import { createDatasetAdmin } from '../../../src/catalog/admin/create-dataset-admin.js';
import { runCheck } from '../../../src/catalog/admin/generation-checks.js';
import type { Reload } from '../../../src/catalog/admin/take-live.js';
import { openCatalog } from '../../../src/catalog/catalog.js';
import { openDataset, openDatasetBeside } from '../../../src/format/dataset.js';

/** A catalog whose generations are bare datasets, without threads, and all that is told of them. */
export function openWatched(
  datasetsDir: string,
  first?: string,
  own: { readonly follows?: boolean; readonly open?: typeof openDataset } = {},
) {
  const events = { opened: vi.fn(), nothingPublished: vi.fn(), failed: vi.fn(), closed: vi.fn() };
  const warm = vi.fn(() => Promise.resolve());
  const stop = vi.fn(() => Promise.resolve());
  const catalog = openCatalog({
    datasetsDir,
    first,
    open: openDataset,
    openBeside: openDatasetBeside,
    warm,
    stop,
    release: (dataset) => dataset.release(),
    events,
    now: () => new Date(0),
    pollMs: 1,
    ...own,
  });
  onTestFinished(() => catalog.close());
  return { catalog, events, warm, stop };
}

/** The maintainers' side of such a catalog; checks are made in this thread. */
export function administer(
  datasetsDir: string,
  pinned: readonly string[] = [],
  check: RunCheck = (asked) => Promise.resolve(runCheck(asked)),
) {
  const watched = openWatched(datasetsDir);
  const { catalog } = watched;
  const reloaded = vi.fn((_: Reload) => Promise.resolve());
  const admin = createDatasetAdmin({
    datasetsDir,
    served: {
      prepare: catalog.prepare,
      live: () => {
        const generation = catalog.generation();
        const facts = { since: '', tracts: 30, states: 2, synthetic: true, sources: [] };
        return Promise.resolve(generation === undefined ? undefined : { generation, ...facts });
      },
    },
    checks: createChecks(check),
    pinned: () => Promise.resolve(new Set(pinned)),
    reloaded,
    now: () => performance.now(),
    lockWaitMs: 100,
  });
  return { ...watched, admin, reloaded };
}
