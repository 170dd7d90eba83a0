import { expect, test } from 'vitest';
import { viewOf } from '../../../src/format/copy-text.js';
import { allocateAlone, createDraft } from '../../../src/query/body-writer.js';

const write = (draft: ReturnType<typeof createDraft>, text: string): void => {
  const bytes = Buffer.from(text);
  draft.text(viewOf(bytes), 0, bytes.length);
};

test('bodies of any size come one after the other, put together of pieces of any length', () => {
  const draft = createDraft();
  for (const size of [1, 7, 8, 9, 4000, 4097, 100_000]) {
    draft.begin();
    const pieces = Array.from({ length: 3 }, (_, at) => String.fromCharCode(97 + at).repeat(size));
    for (const piece of pieces) write(draft, piece);
    expect(Buffer.from(draft.finish(allocateAlone)).toString()).toBe(pieces.join(''));
  }
});

test('a body for which there is no memory leaves nothing of it in the next', () => {
  const draft = createDraft();
  draft.begin();
  write(draft, 'the first one');
  const refused = () => {
    throw new RangeError('no memory');
  };
  expect(() => draft.finish(refused)).toThrow('no memory');
  draft.begin();
  write(draft, 'the second');
  expect(Buffer.from(draft.finish(allocateAlone)).toString()).toBe('the second');
});
