import { printableLines } from '../core/printable.js';

/** Receives the loader's progress messages. */
export interface Progress {
  /** Writes a line of text that stays. It may quote files and servers, so it is made printable. */
  line(text: string): void;
  /** Reports a stage at `done` of `total`, in any unit. A terminal shows a bar; other outputs show only the stage's end. */
  step(stage: string, done: number, total: number): void;
}

/** Where progress is written. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Progress as people see it. */
export interface ShownProgress extends Progress {
  /** Removes a bar that is not full. */
  clear(): void;
}

const BAR_CELLS = 28;

/** Writes progress to a stream: a self-redrawing bar on a terminal, else one plain line per finished stage. */
export function createProgress(stream: ProgressStream): ShownProgress {
  let drawn = false;
  const clear = (): void => {
    if (drawn) stream.write('\r\x1b[2K');
    drawn = false;
  };
  return {
    clear,
    line: (text) => {
      clear();
      stream.write(`${printableLines(text)}\n`);
    },
    step: (stage, done, total) => {
      const finished = done >= total;
      if (stream.isTTY !== true) {
        if (finished) stream.write(`${stage}: done\n`);
        return;
      }
      clear();
      const share = total > 0 ? Math.min(1, done / total) : 1;
      const filled = Math.round(share * BAR_CELLS);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
      stream.write(`${bar} ${String(Math.round(share * 100)).padStart(3)}% ${stage}`);
      drawn = true;
      if (finished) {
        stream.write('\n');
        drawn = false;
      }
    },
  };
}
