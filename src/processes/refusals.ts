import { CatalogError } from '../catalog/catalog-error.js';
import type { Refusal } from './dataset-questions.js';

/** A catalog's error as it travels to another process. Anything else is thrown again. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof CatalogError)) throw error;
  const { code, message, damage } = error;
  return { ok: false, code, message, ...(damage && { damage }) };
}

/** And back. */
export function fromRefusal({ code, message, damage }: Refusal): CatalogError {
  return new CatalogError(code, message, damage);
}
