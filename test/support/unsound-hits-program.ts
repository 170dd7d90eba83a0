import { createSharedHits, HITS_INITIAL_BYTES } from '../../src/processes/memory/shared-hits.js';

/** The positions at which `createSharedHits` keeps the holder of its lock and the number of its oldest entry. */
const [LOCK, HEAD] = [0, 2];

/** A program that hits a key in memory that is inconsistent and whose lock is held: `<holder's process id, or 0>`. */
const words = new Int32Array(HITS_INITIAL_BYTES / Int32Array.BYTES_PER_ELEMENT);
let nowMs = 0;
const hits = createSharedHits({ words, extend: () => {}, windowSeconds: 1, now: () => nowMs });
for (let hit = 0; hit < 10; hit++) hits.hit('key', 20);
words[HEAD] = 1_000_000;
words[LOCK] = Number(process.argv[2]);
nowMs = 100_000;
process.stdout.write(`${JSON.stringify(hits.hit('key', 20))}\n`);
