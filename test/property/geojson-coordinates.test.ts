import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteWriter } from '../../src/query/byte-writer.js';

it('coordinates are written exactly, in at most 7 decimals, none of them a closing zero', () => {
  const units = fc.oneof(
    fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
    fc.integer({ min: -1_800, max: 1_800 }).map((thousandths) => thousandths * 100_000),
    fc.integer({ min: -20, max: 20 }),
  );
  const property = fc.property(fc.array(units, { minLength: 1, maxLength: 40 }), (list) => {
    const writer = new ByteWriter();
    for (const one of list) {
      writer.degrees(one);
      writer.text(' ');
    }
    const written = Buffer.from(writer.finish()).toString('utf8').trim().split(' ');
    written.forEach((text, at) => {
      expect(text).toMatch(/^-?(0|[1-9]\d{0,2})(\.\d{0,6}[1-9])?$/);
      expect(Math.round(Number(text) * 1e7) + 0).toBe(list[at]);
      expect(String(Number(text))).toBe(Number(((list[at] ?? 0) / 1e7).toFixed(7)).toString());
    });
  });
  fc.assert(property, { numRuns: 300 });
});

it('text of any length and script comes out as it went in, in a buffer of its own', () => {
  const property = fc.property(
    fc.array(fc.string({ unit: 'grapheme', maxLength: 5000 }), { maxLength: 60 }),
    (parts) => {
      const writer = new ByteWriter();
      for (const part of parts) writer.text(part);
      const bytes = writer.finish();
      expect(bytes.byteLength).toBe(Buffer.byteLength(parts.join('')));
      expect(Buffer.from(bytes).toString('utf8')).toBe(parts.join(''));
      expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
    },
  );
  fc.assert(property, { numRuns: 50 });
});
