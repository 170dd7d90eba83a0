import type { LoadSink } from '../intake/load-sink.js';
import type { SourceId } from '../source-id.js';

/** A source's answer for a file that it recognizes. */
export type Recognition = {
  readonly source: SourceId;
  /** The agency's name for the product, with its vintage: `CDC/ATSDR SVI 2022`. */
  readonly product: string;
} & (
  | {
      /** When the file is read relative to others; see `READ_TURNS`. 0 by default. */
      readonly turn?: number;
      /** Damage within the text, such as NUL bytes, only rejects the damaged rows and does not end the compile. */
      readonly judgesDamage?: true;
      /** What else the file may have been meant to provide, as a message for the maintainer. */
      readonly doubt?: string | undefined;
      /** Reads the whole file into the sink. Throws `InputError` if the file cannot be read to its end. */
      read(sink: LoadSink): Promise<void>;
    }
  | {
      /** Why this product must not be loaded, as a message for the maintainer. Ends the compile. */
      readonly refuse: string;
    }
);
