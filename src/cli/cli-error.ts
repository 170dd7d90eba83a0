/** A failure that is told to the person at the terminal by its message alone. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    /** 1 for what went wrong, 2 for a command that was typed wrong. */
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}
