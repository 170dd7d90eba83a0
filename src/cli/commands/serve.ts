import { serveUntilSignal } from '../serve-until-signal.js';
import { readServingConfig } from '../serving-config.js';

/** `tract-context serve`: answers requests from the published dataset until it is told to stop. */
export async function run(argv: string[]): Promise<number> {
  const config = readServingConfig('serve', argv);
  return config ? await serveUntilSignal({ config, logFd: 1, flags: argv }) : 0;
}
