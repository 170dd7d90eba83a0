/** A failure of which the user sees only the message, without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    /** 1 for a failure, 2 for wrong usage. */
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}
