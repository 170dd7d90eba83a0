import { createSharedFile, extendSharedFile, mapSharedFile } from '../../src/processes/memory/shared-file.js';
import { createSharedHits, HITS_INITIAL_BYTES, HITS_MOST_BYTES } from '../../src/processes/memory/shared-hits.js';

/**
 * A program in which `late` extends a shared file of hits so slowly that `other`, which maps the same file, takes over its
 * lock and extends the file in the meantime. A write beyond the end of the file would crash the process.
 */
const fd = createSharedFile(HITS_INITIAL_BYTES);
const words = new Int32Array(mapSharedFile(fd, HITS_MOST_BYTES));
const options = { words, windowSeconds: 3600, patienceMs: 50 };
let nowMs = 0;
const now = (): number => nowMs++;
const other = createSharedHits({ ...options, now, extend: (from, to) => extendSharedFile(fd, from, to) });
let hasRoom = false;
const late = createSharedHits({
  ...options,
  now,
  extend: (from, to) => {
    extendSharedFile(fd, from, to);
    hasRoom = true;
    for (let hit = 0; hit < (to - from) / 32; hit++) other.hit('one', 1e6);
  },
});
other.hit('one', 1e6);
while (!hasRoom) late.hit('one', 1e6);
if (late.hit('one', 1e6).count !== 1) throw new Error('it did not begin anew');
