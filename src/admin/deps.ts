import type { DatasetAdmin } from '../catalog/dataset-admin.js';
import type { KeyRegistry } from '../keys/key-registry.js';
import type { KeyUsage } from '../keys/key-usage.js';
import type { StateStore } from '../state/store.js';
import type { WebhookAdmin } from '../webhooks/webhook-admin.js';

/** What the procedures are made of. */
export interface AdminDeps {
  readonly keys: KeyRegistry;
  readonly usage: Pick<KeyUsage, 'flush' | 'read'>;
  /** Called after every change to a key, before it is acknowledged: this process's own requests know it from then on. */
  readonly keysChanged: () => Promise<void>;
  readonly datasets: DatasetAdmin;
  readonly webhooks: WebhookAdmin;
  readonly state: StateStore;
  /** The service's version. */
  readonly version: string;
  /** How many processes answer requests. */
  readonly processes: number;
  /** What the public /metrics shows, as JSON. */
  readonly metrics: () => Promise<Readonly<Record<string, unknown>>>;
  /** Settings by name, as they are in force; secrets masked. */
  readonly config: () => readonly { readonly name: string; readonly value: string }[];
  readonly now: () => Date;
}
