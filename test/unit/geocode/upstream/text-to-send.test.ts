import { expect, test } from 'vitest';
import { textToSend } from '../../../../src/geocode/upstream/text-to-send.js';

test.each([
  '(512) 555-0100 150 Main St, Sampleton, TX 78701',
  'Jane Roe DOB 1/2/1950 150 Main St, Sampleton, TX 78701',
  '1950-01-02, 150 Main St, Sampleton, TX 78701',
  '<a name="Jane Roe">150 Main St</a>, Sampleton, TX 78701',
  '150 Main St&#60;a title="Jane Roe"&#62;, Sampleton, TX 78701',
  '150+Main+St%3Ca+title%3D%22Jane+Roe%22%3E,+Sampleton,+TX+78701',
  '{"name":"Jane Roe","line":["150 Main St"],"city":"Sampleton","state":"TX","postalCode":"78701"}',
])('what is left out to read an address is not sent, either: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, SAMPLETON, TX 78701');
});
