import { decimal } from '../core/decimal.js';

/** A number as JSON; null for a missing value (NaN). */
export const numberJson = (value: number | null | undefined): string =>
  value === null || value === undefined || Number.isNaN(value) ? 'null' : decimal(value);
