/** Why what was read is not published. */
export interface Refusal {
  /** The file or the source, and what is wrong with it. */
  readonly what: string;
  /** Each reason with its count and the first example. */
  readonly reasons: readonly string[];
}
