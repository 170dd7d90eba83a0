import cluster from 'node:cluster';
import { packageFile } from '../../src/platform/package-root.js';
import { channelTo } from '../../src/processes/channels.js';
import { createLink } from '../../src/processes/link.js';
import { createTallies } from '../../src/processes/memory/tallies.js';
import { answerLiveInAll } from '../../src/processes/primary-datasets.js';
import { FAILED, JOIN, LISTENING, READY } from '../../src/processes/start-questions.js';
import { openState } from '../../src/state/open-state.js';

/**
 * A primary of one process, whose id it prints. When that process tells it that it listens, it dies (`die`), or fails to
 * answer (`fail`). Run by `processes.test.ts`.
 */
const [end] = process.argv.slice(2);
await openState(process.env.STATE_DIR ?? '');
cluster.schedulingPolicy = cluster.SCHED_NONE;
cluster.setupPrimary({
  exec: packageFile('dist', 'program', 'main.js'),
  args: ['serve', '--processes', '2', '--port', '0'],
  stdio: ['ignore', 2, 2, 'ipc', createTallies(2).fd],
});
const started = cluster.fork();
const link = createLink(channelTo(started));
link.answer(JOIN, () => ({ index: 0 }));
link.answer(READY, () => null);
answerLiveInAll(link, { generation: () => Promise.resolve(undefined) });
link.answer(LISTENING, () => {
  if (end === 'die') process.kill(process.pid, 'SIGKILL');
  throw new Error('no answer');
});
link.answer(FAILED, () => null);
process.stdout.write(`${started.process.pid}\n`);
