import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { LoggableError } from '../core/loggable-error.js';

/** Encrypts secrets for the state directory with AES-256-GCM. */
export interface SecretBox {
  /** Whether the key is missing: then `seal` and `open` throw. */
  readonly isLocked: boolean;
  /**
   * Encrypts a secret to a text that can be opened only with the same key and the same context: what the secret belongs to,
   * such as a record's key.
   */
  seal(secret: string, context: string): string;
  /** Decrypts a sealed secret. Throws {@link SecretBoxError}. */
  open(sealed: string, context: string): string;
}

/**
 * A sealed secret cannot be opened: it was sealed with another key or for another context, or is damaged; or the key is
 * missing. The message holds neither secret nor key.
 */
export class SecretBoxError extends LoggableError {
  override readonly name = 'SecretBoxError';
}

export const SECRET_KEY_BYTES = 32;
const FORMAT = 'v1';
/** 96 random bits, as NIST SP 800-38D recommends for GCM: good for 2^32 secrets per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a box with a key of 32 bytes. Without one, the box opens nothing, and seals nothing, since nobody could open that
 * again. Throws a RangeError for a key of any other length.
 */
export function createSecretBox(key: Uint8Array | undefined): SecretBox {
  if (key === undefined) return { isLocked: true, seal: refuse, open: refuse };
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError(`a secret key has ${SECRET_KEY_BYTES} bytes`);
  // Distinguishes keys in error messages, without revealing anything about them.
  const keyId = createHash('sha256').update('secret-box key id\0').update(key).digest('hex').slice(0, 8);
  return {
    isLocked: false,
    seal: (secret, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${FORMAT}.${keyId}.${text.toString('base64url')}`;
    },
    open: (sealed, context) => {
      const [format, sealedWith, text, ...rest] = sealed.split('.');
      if (format !== FORMAT || text === undefined || rest.length > 0) throw new SecretBoxError('not a sealed secret');
      if (sealedWith !== keyId) {
        throw new SecretBoxError(`a secret was encrypted with key ${sealedWith}, but the key in use is ${keyId}`);
      }
      return decrypt(key, Buffer.from(text, 'base64url'), context);
    },
  };
}

function refuse(): never {
  throw new SecretBoxError('the key that secrets are encrypted with is missing');
}

function decrypt(key: Uint8Array, bytes: Buffer, context: string): string {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretBoxError('an encrypted secret is truncated');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SecretBoxError('an encrypted secret is damaged, or belongs to another record', { cause });
  }
}
