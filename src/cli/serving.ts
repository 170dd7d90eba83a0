import type { Config } from '../config.js';

/** What a command that serves has been told. */
export interface Serving {
  readonly config: Config;
  readonly logFd: 1 | 2;
  /** The flags that give `serve` the same settings, with these variables beside the environment's. */
  readonly flags: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly onListening?: (url: string) => void;
}
