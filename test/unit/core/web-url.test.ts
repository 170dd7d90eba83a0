import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../src/core/web-url.js';

test.each([
  ['https://user:secret@host/path', 'https://***@host/path'],
  ['https:/user:secret@host', 'https:/***@host'],
  ['https:\\\\user:secret@host', 'https:\\\\***@host'],
  ['https:user:secret@host', '***@host'],
  ['user:secret@host', '***@host'],
  ['//user:secret@host', '***@host'],
  ['https://user:sec?ret@host', 'https://***'],
  ['https://host/?key=sec@ret', 'https://***'],
  ['https://host/path?key=secret', 'https://host/path?***'],
  ['https:/host#secret', 'https:/host?***'],
  ['host/?key=secret', 'host/?***'],
  ['https:host?key=secret', 'https:host?***'],
  ['host:8080?key=secret', 'host:8080?***'],
  ['host.example?key=secret', 'host.example?***'],
  ['user:secret@host?key=secret', '***@host?***'],
  ['https://host/path', 'https://host/path'],
  ['8000 # the port', '8000 # the port'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test('a long text takes no longer than its length', () => {
  const text = '://'.repeat(40_000);
  const takesMs = (): number => {
    const began = performance.now();
    withoutSecrets(text);
    return performance.now() - began;
  };
  // The machine does not stand still each time.
  expect(Math.min(...Array.from({ length: 3 }, takesMs))).toBeLessThan(500);
});
