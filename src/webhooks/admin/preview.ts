import { setImmediate as nextTurn } from 'node:timers/promises';
import { asCatalogError, CatalogError } from '../../catalog/directory/catalog-error.js';
import type { StateStore } from '../../state/store.js';
import { type Changes, MissingGenerationError, openChanges, UnreachableGenerationError } from '../events/changes.js';
import { countEvents } from '../events/event-stream.js';
import { compileSelection } from '../events/selection.js';
import { subscriptionRecords } from '../subscription.js';
import { readInPieces } from './in-pieces.js';
import { type SummaryDependencies, stateOf } from './summaries.js';
import type { WebhookPreview } from './webhook-admin.js';

/** `WebhookAdmin.preview`. Yields to the event loop after each subscription, so that requests are answered. */
export async function previewEvents(
  dependencies: SummaryDependencies & { readonly state: StateStore; readonly datasetsDir: string },
  from: string | null,
  to: string,
): Promise<WebhookPreview[]> {
  const { state: store, datasetsDir, owners } = dependencies;
  const subscriptions = await readInPieces({ state: store, records: subscriptionRecords }, (view, piece) =>
    piece
      .filter(({ key: [owner] }) => !owners.isLost(view, owner))
      .map(({ key: [owner], value: { subscription } }) => {
        return { ...subscription, owner, state: stateOf(view, dependencies, { owner, active: subscription.active }) };
      }),
  );
  const changes = openForMaintainer(datasetsDir, from, to);
  try {
    const previews: WebhookPreview[] = [];
    for (const { id, owner, state, events, filters } of subscriptions) {
      const { updates, exceeded } = countEvents(changes, compileSelection(events, filters));
      if (updates + exceeded > 0) {
        previews.push({ id, owner, state, events: { 'data.updated': updates, 'threshold.exceeded': exceeded } });
      }
      await nextTurn();
    }
    return previews.sort((one, other) => one.id - other.id);
  } finally {
    changes.release();
  }
}

/** {@link openChanges}, whose errors maintainers may see. Throws CatalogError. */
function openForMaintainer(datasetsDir: string, from: string | null, to: string): Changes {
  try {
    return openChanges(datasetsDir, from, to);
  } catch (error) {
    const isGone = error instanceof MissingGenerationError || error instanceof UnreachableGenerationError;
    throw isGone ? new CatalogError('unreadable', error.message) : asCatalogError(error);
  }
}
