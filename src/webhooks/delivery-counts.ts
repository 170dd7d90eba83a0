import type { StateStore } from '../state/store.js';
import { statusRecords } from './delivery-records.js';
import { type SummaryDependencies, summarizeAll } from './summaries.js';
import type { WebhookAttempt, WebhookSummary } from './webhook-admin.js';

/** What became of one subscription's deliveries, without what only its owner and the maintainers may see. */
export type DeliveryCounts = Pick<
  WebhookSummary,
  'id' | 'state' | 'delivered' | 'retried' | 'failed' | 'deadLetters' | 'lagSeconds' | 'lastSuccessAt'
> & {
  /** The newest one that is shown; null before any. */
  readonly lastAttempt: Pick<WebhookAttempt, 'at' | 'status' | 'durationMs'> | null;
};

/** By ascending id. Rejects with a StateError. */
export function readDeliveryCounts({
  state,
  ...dependencies
}: SummaryDependencies & { readonly state: StateStore }): Promise<DeliveryCounts[]> {
  return state.read((view) =>
    summarizeAll(view, dependencies).map(
      ({ id, state: condition, delivered, retried, failed, deadLetters, lagSeconds, lastSuccessAt }) => {
        const lastAttempt = view.get(statusRecords, [id])?.recent[0] ?? null;
        return {
          id,
          state: condition,
          delivered,
          retried,
          failed,
          deadLetters,
          lagSeconds,
          lastSuccessAt,
          lastAttempt,
        };
      },
    ),
  );
}
