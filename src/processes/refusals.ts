import { CatalogError } from '../catalog/catalog-error.js';
import type { Refusal } from './dataset-questions.js';

/** Converts a CatalogError to a form that can be sent to another process. Rethrows any other error. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof CatalogError)) throw error;
  const { code, message, damage } = error;
  return { ok: false, code, message, ...(damage && { damage }) };
}

/** Converts a received refusal back to a CatalogError. */
export function fromRefusal({ code, message, damage }: Refusal): CatalogError {
  return new CatalogError(code, message, damage);
}
