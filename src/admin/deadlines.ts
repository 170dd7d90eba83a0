/** How long a client waits for the admin plane, in milliseconds. */
export interface Deadlines {
  /** For a call that reads or writes a few records: a service under full load answers within a second or two. */
  readonly ordinaryMs: number;
  /** For a call that waits for a webhook receiver, which itself has ten seconds. */
  readonly receiverMs: number;
  /**
   * For a call that reads or deletes whole datasets. Its progress cannot be queried, so this is what the slowest case takes:
   * a nation of 30 GB, read from a disk at 10 MB/s.
   */
  readonly wholeDatasetMs: number;
}

export const DEADLINES: Deadlines = { ordinaryMs: 15_000, receiverMs: 30_000, wholeDatasetMs: 3_600_000 };

const WHOLE_DATASET: ReadonlySet<string> = new Set([
  'datasets.reload',
  'datasets.rollback',
  'datasets.prune',
  'datasets.verify',
]);

/** Whether a procedure reads or deletes whole datasets. */
export function takesWholeDatasets(procedure: string): boolean {
  return WHOLE_DATASET.has(procedure);
}

export function deadlineMs(procedure: string, deadlines: Deadlines): number {
  if (takesWholeDatasets(procedure)) return deadlines.wholeDatasetMs;
  return procedure === 'webhooks.test' ? deadlines.receiverMs : deadlines.ordinaryMs;
}
