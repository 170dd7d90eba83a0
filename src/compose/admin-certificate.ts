import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { AdminCertificate } from '../admin/server.js';
import type { Config } from '../config.js';
import { messageOf } from '../core/message-of.js';

/** Renewed files are expected some days before the former certificate expires. */
const LOOK_EVERY_MS = 60_000;
/** The share of its time that is left when a certificate should have been renewed, and that in days at most. */
const LATE = 0.1;
const DAY_MS = 86_400_000;
const LATE_MAX_MS = 14 * DAY_MS;

/** The settings that name the files. */
export type CertificateFiles = Pick<Config, 'adminTlsCert' | 'adminTlsKey'>;

/** What is found in the files after the start. */
export interface CertificateEvents {
  /** Another certificate or key; `expires` is an ISO 8601 time. */
  renewed(certificate: AdminCertificate, expires: string): void;
  /** The files are of no use, or not yet: one of the two may have been written only. Called once for each reason. */
  refused(reason: string): void;
  /**
   * The certificate in use should have been renewed, or is not valid any more or not yet: commands refuse it then. Called at
   * once, when it expires, and then once a day.
   */
  late(certificate: { readonly begins: string; readonly expires: string; readonly isValid: boolean }): void;
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
  { renewed, refused, late }: CertificateEvents,
): () => void {
  let current = first;
  let told: string | undefined;
  let toldLate: { readonly atMs: number; readonly isValid: boolean } | undefined;
  const lookAtTime = (): void => {
    const { validFrom, validTo } = new X509Certificate(current.cert);
    const [begins, expires, now] = [Date.parse(validFrom), Date.parse(validTo), Date.now()];
    const isValid = now >= begins && now < expires;
    if (isValid && expires - now > Math.min((expires - begins) * LATE, LATE_MAX_MS)) return;
    // Also if the clock has been set back.
    if (toldLate?.isValid === isValid && Math.abs(now - toldLate.atMs) < DAY_MS) return;
    toldLate = { atMs: now, isValid };
    late({ begins: new Date(begins).toISOString(), expires: new Date(expires).toISOString(), isValid });
  };
  const look = (): void => {
    try {
      const found = readCertificate(files);
      told = undefined;
      if (found.cert === current.cert && found.key === current.key) return;
      current = found;
      toldLate = undefined;
      renewed(found, new Date(new X509Certificate(found.cert).validTo).toISOString());
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== told) refused(reason);
      told = reason;
    }
  };
  lookAtTime();
  const timer = setInterval(() => {
    look();
    lookAtTime();
  }, LOOK_EVERY_MS).unref();
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
