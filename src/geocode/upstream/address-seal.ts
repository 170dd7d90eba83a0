import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/**
 * Lookup keys and encryption for what is kept about addresses: neither an address nor what it matched stands in memory in
 * plain text, and what is kept for an address can be read only with that address. The secret is this process's own.
 */
export interface AddressSeal {
  /** The same key for spellings that differ only in case, blanks and Unicode compatibility forms. */
  keyOf(address: string): string;
  close(address: string, content: string): Buffer;
  /** Decrypts what was closed under this address. */
  open(address: string, sealed: Buffer): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createAddressSeal(): AddressSeal {
  const secret = randomBytes(32);
  const derive = (purpose: string, address: string): Buffer =>
    createHmac('sha256', secret).update(purpose).update('\0').update(normalize(address)).digest();
  return {
    keyOf: (address) => derive('key', address).toString('base64'),
    close: (address, content) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, derive('seal', address), nonce);
      const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open: (address, sealed) => {
      const decipher = createDecipheriv(CIPHER, derive('seal', address), sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const content = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
    },
  };
}

function normalize(address: string): string {
  return address
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/ ?, ?/g, ',')
    .trim();
}
