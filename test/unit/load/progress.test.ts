import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../src/load/progress.js';

function stream(isTTY?: boolean) {
  const written: string[] = [];
  return { written, ...(isTTY !== undefined && { isTTY }), write: (text: string) => written.push(text) };
}

describe('progress', () => {
  it('on a terminal redraws a bar in place and keeps it when it is full', () => {
    const terminal = stream(true);
    const progress = createProgress(terminal);
    progress.step('reading', 1, 2);
    progress.step('reading', 2, 2);
    progress.line('next');
    expect(terminal.written).toEqual([
      `${'█'.repeat(14)}${'░'.repeat(14)}  50% reading`,
      '\r\x1b[2K',
      `${'█'.repeat(28)} 100% reading`,
      '\n',
      'next\n',
    ]);
  });

  it('on a terminal clears the bar before a line, so that the line stands alone', () => {
    const terminal = stream(true);
    const progress = createProgress(terminal);
    progress.step('reading', 0, 2);
    progress.line('a line');
    expect(terminal.written.slice(1)).toEqual(['\r\x1b[2K', 'a line\n']);
  });

  it('on a terminal shows a stage of nothing as done', () => {
    const terminal = stream(true);
    createProgress(terminal).step('reading', 0, 0);
    expect(terminal.written[0]).toContain('100%');
  });

  it('shows what would control the terminal, of the files and servers that a line quotes', () => {
    const terminal = stream(true);
    createProgress(terminal).line('Not fetched: a\n  the server sent \u001b]0;all is well\u0007 \u202etxt.');
    expect(terminal.written).toEqual(['Not fetched: a\n  the server sent \\u{1b}]0;all is well\\u{7} \\u{202e}txt.\n']);
  });

  it.each([false, undefined])('elsewhere writes plain lines, one a finished stage (isTTY %s)', (isTTY) => {
    const file = stream(isTTY);
    const progress = createProgress(file);
    progress.line('found');
    progress.step('reading', 1, 2);
    progress.step('reading', 2, 2);
    expect(file.written).toEqual(['found\n', 'reading: done\n']);
  });
});
