import type { Reload } from '../catalog/admin/take-live.js';

/** The other part of a service that reads generations: the delivery of webhooks. */
export interface GenerationReaders {
  /** The generations that deliveries still need. */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** Called after each reload that has changed the live generation. */
  readonly reloaded: (reload: Reload) => Promise<void>;
}

/** Readers that are attached once the service runs; until then, nothing else reads generations. */
export function lateReaders(): GenerationReaders & { attach(readers: GenerationReaders): void } {
  let attached: GenerationReaders = {
    pinned: () => Promise.resolve(new Set()),
    reloaded: () => Promise.resolve(),
  };
  return {
    pinned: () => attached.pinned(),
    reloaded: (reload) => attached.reloaded(reload),
    attach: (readers) => {
      attached = readers;
    },
  };
}
