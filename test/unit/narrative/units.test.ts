import { expect, test } from 'vitest';
import { amount, count, dollars, percent } from '../../../src/narrative/units.js';

test('values are rounded half away from zero by their decimal form, as everywhere else', () => {
  expect([8.35, 8.349, 0.05, 0.04, 12].map(percent)).toEqual(['8.4%', '8.3%', '0.1%', 'less than 0.1%', '12%']);
  expect(amount('µg/m³', 2)(1.005)).toBe('1.01 µg/m³');
  expect([54_320.5, -54_320.5].map(dollars)).toEqual(['$54,321', '−$54,321']);
  expect(count(1_234_567)).toBe('1,234,567');
});
