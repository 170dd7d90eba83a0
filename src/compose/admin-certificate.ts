import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { AdminCertificate } from '../admin/server.js';
import type { Config } from '../config.js';
import { messageOf } from '../core/message-of.js';

/** Renewed files are expected some days before the former certificate expires. */
const LOOK_EVERY_MS = 60_000;

/** The settings that name the files. */
export type CertificateFiles = Pick<Config, 'adminTlsCert' | 'adminTlsKey'>;

/** What is found in the files after the start. */
export interface CertificateEvents {
  /** Another certificate or key; `expires` is an ISO 8601 time. */
  renewed(certificate: AdminCertificate, expires: string): void;
  /** The files are of no use, or not yet: one of the two may have been written only. Called once for each reason. */
  refused(reason: string): void;
}

/** Reads certificate and key. Throws an error that names the setting if a file cannot be read or used. */
export function readCertificate({ adminTlsCert, adminTlsKey }: CertificateFiles): AdminCertificate {
  const cert = naming(`ADMIN_TLS_CERT, ${adminTlsCert}`, () => readText(adminTlsCert));
  const key = naming(`ADMIN_TLS_KEY, ${adminTlsKey}`, () => readText(adminTlsKey));
  naming(`ADMIN_TLS_CERT, ${adminTlsCert}`, () => createSecureContext({ cert }));
  naming(`ADMIN_TLS_KEY, ${adminTlsKey}`, () => createSecureContext({ cert, key }));
  return { cert, key };
}

/** Reads the files again and again, as they are renewed while the service runs. Returns what ends that. */
export function followCertificate(
  files: CertificateFiles,
  first: AdminCertificate,
  { renewed, refused }: CertificateEvents,
): () => void {
  let current = first;
  let told: string | undefined;
  const look = (): void => {
    try {
      const found = readCertificate(files);
      told = undefined;
      if (found.cert === current.cert && found.key === current.key) return;
      current = found;
      renewed(found, new Date(new X509Certificate(found.cert).validTo).toISOString());
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== told) refused(reason);
      told = reason;
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Refuses an empty file: Node would listen without certificate or key, and every handshake would fail. */
function readText(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (text === '') throw new Error('the file is empty');
  return text;
}

/** Prefixes what `read` throws by what it is about. */
function naming<T>(subject: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${subject}: ${messageOf(error)}`, { cause: error });
  }
}
