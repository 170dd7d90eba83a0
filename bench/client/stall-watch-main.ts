/**
 * `node stall-watch-main.js <processor>`: sleeps for a millisecond over and over, and records when it wakes up late. It has
 * real-time priority on its processor (SCHED_FIFO, as in `cyclictest`), so that no other process here can delay it: only
 * the host can. Sends its parent an empty list when it starts, and the recorded stalls whenever the parent asks. Exits at
 * once if it may not have that priority.
 */
import koffi from 'koffi';
import { blockThread } from '../../src/platform/block-thread.js';
import { type Stall, wallMs } from './stalls.js';

const NAP_MS = 1;
/** Naps per turn of the event loop: turns create garbage, which V8 collects in threads that others must give way to. */
const NAPS_A_TURN = 20;
/** The delay that counts as a stall; an undisturbed watcher wakes up within a tenth of it. */
const LATE_MS = 0.5;
const SCHED_FIFO = 1;
const LOWEST_PRIORITY = 1;
const CPU_SET_BYTES = 128;

const cpu = Number(process.argv[2]);
if (!runFirst(cpu)) process.exit();
let stalls: Stall[] = [];
process.once('disconnect', () => process.exit());
process.on('message', () => {
  process.send?.(stalls);
  stalls = [];
});
process.send?.(stalls);
let awakeAtMs = wallMs();
watch();

function watch(): void {
  for (let naps = 0; naps < NAPS_A_TURN; naps++) {
    blockThread(NAP_MS);
    const dueMs = awakeAtMs + NAP_MS;
    awakeAtMs = wallMs();
    if (awakeAtMs - dueMs > LATE_MS) stalls.push({ fromMs: dueMs, toMs: awakeAtMs });
  }
  // Lets the event loop read messages between two turns.
  setImmediate(watch);
}

/** Binds this thread to a processor with real-time priority there; false if that is not permitted, or not on Linux. */
function runFirst(processor: number): boolean {
  if (process.platform !== 'linux') return false;
  const libc = koffi.load(null);
  const bind = libc.func('int sched_setaffinity(int tid, size_t bytes, const void *processors)');
  const schedule = libc.func('int sched_setscheduler(int tid, int policy, const void *parameters)');
  const processors = Buffer.alloc(CPU_SET_BYTES);
  processors[processor >>> 3] = 1 << (processor & 7);
  const parameters = Buffer.alloc(4);
  parameters.writeInt32LE(LOWEST_PRIORITY);
  // Thread 0 is the calling thread.
  const SELF = 0;
  return bind(SELF, CPU_SET_BYTES, processors) === 0 && schedule(SELF, SCHED_FIFO, parameters) === 0;
}
