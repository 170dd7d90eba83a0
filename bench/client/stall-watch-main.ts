/**
 * `node stall-watch-main.js <processor>`: sleeps for a millisecond again and again, and notes where it woke up late. It runs
 * before everything else that wants its processor (SCHED_FIFO, as `cyclictest` does), so that neither load nor a busy
 * neighbour can hold it up: what does is the machine under this one. Tells its parent what it has seen when asked to, and
 * once before, empty, when it begins; ends at once where it may not run so.
 */
import koffi from 'koffi';
import { type Stall, wallMs } from './stalls.js';

const NAP_MS = 1;
/** Turns of the event loop leave objects behind, and V8 clears them up in threads that others have to make way for. */
const NAPS_A_TURN = 20;
/** An undisturbed watcher wakes up within a tenth of that. */
const LATE_MS = 0.5;
const SCHED_FIFO = 1;
const LOWEST_PRIORITY = 1;
const CPU_SET_BYTES = 128;

const cpu = Number(process.argv[2]);
if (!runFirst(cpu)) process.exit();
let stalls: Stall[] = [];
const nothing = new Int32Array(new SharedArrayBuffer(4));
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
    Atomics.wait(nothing, 0, 0, NAP_MS);
    const dueMs = awakeAtMs + NAP_MS;
    awakeAtMs = wallMs();
    if (awakeAtMs - dueMs > LATE_MS) stalls.push({ fromMs: dueMs, toMs: awakeAtMs });
  }
  // Messages are read between two turns.
  setImmediate(watch);
}

/** Binds this thread to a processor, before all that others run there; false where that is not allowed or not known here. */
function runFirst(processor: number): boolean {
  if (process.platform !== 'linux') return false;
  const libc = koffi.load(null);
  const bind = libc.func('int sched_setaffinity(int tid, size_t bytes, const void *processors)');
  const schedule = libc.func('int sched_setscheduler(int tid, int policy, const void *parameters)');
  const processors = Buffer.alloc(CPU_SET_BYTES);
  processors[processor >>> 3] = 1 << (processor & 7);
  const parameters = Buffer.alloc(4);
  parameters.writeInt32LE(LOWEST_PRIORITY);
  // The calling thread.
  const SELF = 0;
  return bind(SELF, CPU_SET_BYTES, processors) === 0 && schedule(SELF, SCHED_FIFO, parameters) === 0;
}
