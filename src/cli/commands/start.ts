import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { generationPath, readCurrent } from '../../catalog/directory/generations.js';
import { openDataset } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { DEMO_DATASETS_DIR, DEMO_STATE_DIR } from '../demo-directories.js';
import { withCurrentErrors } from '../published-generation.js';
import { serveUntilSignal } from '../serve-until-signal.js';
import { readServingConfig } from '../serving-config.js';

/** Minneapolis City Hall; the demo dataset has a synthetic tract at this point. */
const EXAMPLE = 'lat=44.9778&lng=-93.2650';

/**
 * `tract-context start`: serves synthetic data for trying the service out, with a state directory of its own. Makes the demo
 * dataset if there is none, and a key for this run unless `API_KEYS` is set; takes the flags of `serve`.
 */
export async function run(argv: string[]): Promise<number> {
  const key = `demo-key-${randomBytes(12).toString('hex')}`;
  const defaults = { datasetsDir: DEMO_DATASETS_DIR, stateDir: DEMO_STATE_DIR, apiKeys: key };
  const config = readServingConfig('start', argv, defaults);
  if (!config) return 0;
  await makeDemo(config.datasetsDir);
  const madeKey = config.apiKeys.includes(key);
  const shownKey = madeKey ? key : '<one of API_KEYS>';
  return await serveUntilSignal({
    config,
    // The log goes to stderr, so that stdout has only the greeting for people.
    logFd: 2,
    flags: argv,
    environment: {
      DATASETS_DIR: config.datasetsDir,
      STATE_DIR: config.stateDir,
      ...(madeKey && { API_KEYS: key }),
    },
    onListening: (url) => process.stdout.write(greeting(url, shownKey, isDemoDirectory(config.datasetsDir))),
  });
}

/** Whether this is the demo's directory, however its path is written. */
const isDemoDirectory = (datasetsDir: string): boolean => resolve(datasetsDir) === resolve(DEMO_DATASETS_DIR);

/** Publishes the demo dataset if the default directory has none that can be read. */
async function makeDemo(datasetsDir: string): Promise<void> {
  if (!isDemoDirectory(datasetsDir) || isReadable(datasetsDir)) return;
  process.stdout.write(`Making the demo dataset in ${DEMO_DATASETS_DIR}; later starts reuse it.\n`);
  // Imported on demand, so that serving does not load the loader.
  const { publishDemo } = await import('./demo.js');
  await publishDemo({ outputDir: datasetsDir, seed: 1, states: undefined });
}

/** Whether a dataset is published that this version can read; one in an older format is replaced. */
function isReadable(datasetsDir: string): boolean {
  const generation = withCurrentErrors(datasetsDir, () => readCurrent(datasetsDir));
  if (generation === undefined) return false;
  try {
    openDataset(generationPath(datasetsDir, generation)).release();
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

function greeting(url: string, key: string, isDemo: boolean): string {
  return `
tract-context is running at ${url}
${isDemo ? 'The data is synthetic: no value was measured.\n' : ''}API key: ${key}

  curl -H 'X-API-Key: ${key}' '${url}/v1/context?${EXAMPLE}'

All requests, with examples: ${url}/docs

Stop with Ctrl-C.
`;
}
