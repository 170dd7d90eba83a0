import type { DatasetAdmin } from '../catalog/admin/dataset-admin.js';
import type { KeyRegistry } from '../keys/key-registry.js';
import type { KeyUsage } from '../keys/key-usage.js';
import type { StateStore } from '../state/store.js';
import type { WebhookAdmin } from '../webhooks/admin/webhook-admin.js';

/** What the admin procedures depend on. */
export interface AdminDeps {
  readonly keys: KeyRegistry;
  readonly usage: Pick<KeyUsage, 'read'>;
  /** The ids of the keys in the configuration, which have usage but no record. */
  readonly configuredKeys: readonly string[];
  /** Called after each change to a key, before it is acknowledged, so that requests observe the change from then on. */
  readonly keysChanged: () => Promise<void>;
  readonly datasets: DatasetAdmin;
  readonly webhooks: WebhookAdmin;
  readonly state: StateStore;
  /** The service's version. */
  readonly version: string;
  /** How many processes answer requests. */
  readonly processes: number;
  /** The figures of the public /metrics, as JSON; undefined if no process answers. */
  readonly metrics: () => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** The settings in force, by name, with secrets masked. */
  readonly config: () => readonly { readonly name: string; readonly value: string }[];
  readonly now: () => Date;
}
