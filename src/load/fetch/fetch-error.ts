/**
 * Why a file was not fetched. `transient`: another attempt may succeed. `missing`: there is nothing at the address. `moved`:
 * the address now serves something else, or redirects to an unknown host. `refused`: the server refuses the file. `resting`:
 * the server wants to be asked for nothing at present. `damaged`: the content is not what the product should be. `space`: the
 * disk is full. `stopped`: the fetch was interrupted.
 */
export type FetchFailure = 'transient' | 'missing' | 'moved' | 'refused' | 'resting' | 'damaged' | 'space' | 'stopped';

/** A file was not fetched. The message is meant for the user and contains no key. */
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

  /** How long the server asked not to be contacted (`Retry-After`). */
  readonly restMs: number | undefined;
}

/** Whether it is the failure of one file, so that another address of it, and other files, can be tried. */
export function isOfOneFile(error: unknown): error is FetchError {
  return error instanceof FetchError && error.failure !== 'stopped' && error.failure !== 'space';
}

/** A fetch cannot start: an unknown source was requested, the folder is locked, or there is too little space. */
export class FetchSetupError extends Error {
  override readonly name = 'FetchSetupError';
}

/** The selection asks for what there is not; `field` is the part of it that is wrong. */
export class FetchSelectionError extends FetchSetupError {
  constructor(
    readonly field: 'sources' | 'year',
    message: string,
  ) {
    super(message);
  }
}
