/** A reason not to publish the dataset. */
export interface Refusal {
  /** The file or source, and what is wrong with it. */
  readonly what: string;
  /** Details, such as each reason for rejection with its count and first example. */
  readonly reasons: readonly string[];
}
