import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate and its private key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** DNS names and IPv4 addresses. */
  readonly names?: readonly string[];
  /** When the certificate expires, in milliseconds from now; by default a day. */
  readonly endsInMs?: number;
}

/** A certificate authority: a client that trusts its certificate trusts all certificates that it issues. */
export interface Authority {
  readonly cert: string;
  issue(options?: CertificateOptions): Certified;
}

const DAY_MS = 86_400_000;
const LOOPBACK = '127.0.0.1';
const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));
const YES = der(0x01, Buffer.from([0xff]));

/** Makes a new self-signed certificate, by default for 127.0.0.1. */
export function selfSignedCertificate({ names = [LOOPBACK], ...options }: CertificateOptions = {}): Certified {
  const { publicKey, privateKey } = newKeys();
  const cert = certify(
    { subject: 'test', publicKey, extension: namesExtension(names), ...options },
    'test',
    privateKey,
  );
  return { cert, key: pemOf(privateKey) };
}

export function createAuthority(): Authority {
  const { publicKey, privateKey } = newKeys();
  const name = 'test authority';
  // The critical extension `basicConstraints` with CA true.
  const extension = der(0x30, oid('551d13'), YES, der(0x04, der(0x30, YES)));
  return {
    cert: certify({ subject: name, publicKey, extension }, name, privateKey),
    issue: ({ names = [LOOPBACK], ...options } = {}) => {
      const own = newKeys();
      const about = { subject: 'test', publicKey: own.publicKey, extension: namesExtension(names), ...options };
      return { cert: certify(about, name, privateKey), key: pemOf(own.privateKey) };
    },
  };
}

interface Certification {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
  readonly endsInMs?: number;
}

/** An X.509 certificate (RFC 5280), encoded in DER, as PEM. */
function certify(
  { subject, publicKey, extension, endsInMs = DAY_MS }: Certification,
  issuer: string,
  issuerKey: KeyObject,
): string {
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    nameOf(issuer),
    der(0x30, utcTime(-10 * DAY_MS), utcTime(endsInMs)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, issuerKey)]);
  const certificate = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const nameOf = (text: string): Buffer => der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(text)))));

/** The extension `subjectAltName`. */
function namesExtension(names: readonly string[]): Buffer {
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  return der(0x30, oid('551d11'), der(0x04, der(0x30, ...alternatives)));
}

/** A DER element: tag, length of the contents, contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** The time `fromNowMs` milliseconds from now as a DER UTCTime, `YYMMDDhhmmssZ`. */
function utcTime(fromNowMs: number): Buffer {
  const text = new Date(Date.now() + fromNowMs)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2);
  return der(0x17, Buffer.from(text));
}
