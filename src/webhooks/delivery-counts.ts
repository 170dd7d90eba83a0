import type { StateStore } from '../state/store.js';
import { type SummaryDependencies, summarizeAll } from './summaries.js';
import type { WebhookSummary } from './webhook-admin.js';

/** What became of one subscription's deliveries, without what only its owner and the maintainers may see. */
export type DeliveryCounts = Pick<
  WebhookSummary,
  'id' | 'state' | 'delivered' | 'retried' | 'failed' | 'deadLetters' | 'lagSeconds' | 'lastSuccessAt'
>;

/** By ascending id. Rejects with a StateError. */
export function readDeliveryCounts({
  state,
  ...dependencies
}: SummaryDependencies & { readonly state: StateStore }): Promise<DeliveryCounts[]> {
  return state.read((view) =>
    summarizeAll(view, dependencies).map(
      ({ id, state: condition, delivered, retried, failed, deadLetters, lagSeconds, lastSuccessAt }) => {
        return { id, state: condition, delivered, retried, failed, deadLetters, lagSeconds, lastSuccessAt };
      },
    ),
  );
}
