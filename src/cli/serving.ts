import type { Config } from '../config.js';

/** The arguments of a command that serves. */
export interface Serving {
  readonly config: Config;
  readonly logFd: 1 | 2;
  /** The flags that give `serve` the same settings, together with `environment` on top of the process's own environment. */
  readonly flags: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly onListening?: (url: string) => void;
}
