import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST_CODE_POINT = 0x10ffff;

/** Any character but half a pair. */
const character = fc
  .nat(LAST_CODE_POINT - SURROGATES)
  .map((at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES));

/**
 * Any text, by default of a length that fast-check chooses, and of at most `maxLength` characters; one in ten in ASCII, as
 * quotes and the like are rare among all characters.
 *
 * Instead of `fc.string({ unit: 'binary' })` and of what is made from it, such as `fc.webPath()`: for these, fast-check makes
 * a map of all characters, which takes a second and 90 MB of each process that runs tests, until that ends.
 */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.string({ ...constraints, unit: character }), weight: 9 },
    { arbitrary: fc.string(constraints), weight: 1 },
  );
}
