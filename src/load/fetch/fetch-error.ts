/**
 * Why a file was not fetched.
 * - `transient`: another attempt may succeed. - `missing`: nothing at the address. - `moved`: the address now belongs to
 * something else, or leads to a host that is not known. - `refused`: the server does not give it. - `damaged`: what came
 * is not what the product is. - `space`: the disk is full. - `stopped`: the fetch was interrupted.
 */
export type FetchFailure = 'transient' | 'missing' | 'moved' | 'refused' | 'damaged' | 'space' | 'stopped';

/** A file that was not fetched. The message is for the person at the terminal; it holds no key. */
export class FetchError extends Error {
  override readonly name = 'FetchError';

  constructor(
    readonly failure: FetchFailure,
    message: string,
    options: { readonly cause?: unknown; readonly restMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.restMs = options.restMs;
  }

  /** How long the server asked to be left alone. */
  readonly restMs: number | undefined;
}

/** A fetch that was asked for wrongly, or that cannot begin: an unknown source, a locked folder, too little space. */
export class FetchSetupError extends Error {
  override readonly name = 'FetchSetupError';
}
