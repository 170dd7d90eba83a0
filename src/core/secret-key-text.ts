import { z } from 'zod';

/** A key of 32 bytes as text: 64 hexadecimal digits. */
export const secretKeyText = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((text): Uint8Array => Buffer.from(text, 'hex'));
