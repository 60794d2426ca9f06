// Verifies what the App Store signs, and signs tokens for its API, with Node's own cryptography.

import { X509Certificate, createPrivateKey, sign, verify } from 'node:crypto';

// Extensions that Apple puts into the certificates for signed data, as DER of their object identifiers.
const leafMarker = Buffer.from('060a2a864886f76364060b01', 'hex'); // 1.2.840.113635.100.6.11.1
const intermediateMarker = Buffer.from('060a2a864886f76364060201', 'hex'); // 1.2.840.113635.100.6.2.1

/** The error of data that the App Store did not sign, or signed for another app. */
export class VerificationError extends Error {}

function require(condition, reason) {
  if (!condition) throw new VerificationError(reason);
}

function decode(part) {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw new VerificationError('a part is not JSON in base64url');
  }
}

function isValid(certificate, date) {
  return new Date(certificate.validFrom) <= date && date <= new Date(certificate.validTo);
}

/**
 * Verifies a compact JWS with a certificate chain in `x5c`, and returns its payload.
 *
 * @param {string} compact a signed transaction, renewal information or notification
 * @param {{ rootCertificates: string[], bundleId: string, environment: string }} app the trusted roots in PEM, and the expected app
 */
export function verifySignedData(compact, app) {
  require(typeof compact === 'string' && compact.split('.').length === 3, 'the data is not a compact JWS');
  const [protectedHeader, payloadPart, signature] = compact.split('.');
  const header = decode(protectedHeader);
  require(header.alg === 'ES256', 'the algorithm is not ES256');
  require(Array.isArray(header.x5c) && header.x5c.length === 3, 'the chain does not have three certificates');

  let chain;
  try {
    chain = header.x5c.map((der) => new X509Certificate(Buffer.from(der, 'base64')));
  } catch {
    throw new VerificationError('a certificate cannot be parsed');
  }
  const [leaf, intermediate, root] = chain;
  const trusted = app.rootCertificates.map((pem) => new X509Certificate(pem).fingerprint256);
  require(trusted.includes(root.fingerprint256), 'the root certificate is not trusted');
  require(intermediate.ca && intermediate.checkIssued(root) && intermediate.verify(root.publicKey), 'the root did not issue the intermediate');
  require(leaf.checkIssued(intermediate) && leaf.verify(intermediate.publicKey), 'the intermediate did not issue the leaf');
  require(intermediate.raw.includes(intermediateMarker) && leaf.raw.includes(leafMarker), 'a certificate has another purpose');

  const key = { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' };
  const signed = Buffer.from(`${protectedHeader}.${payloadPart}`);
  require(verify('sha256', signed, key, Buffer.from(signature, 'base64url')), 'the signature is wrong');

  // Data stays genuine after its certificates have expired, so the date of the signature counts.
  const payload = decode(payloadPart);
  const date = new Date(payload.signedDate ?? Number.NaN);
  require(chain.every((certificate) => isValid(certificate, date)), 'a certificate was not valid at the date of the signature');

  // A notification states the app in one of these members, a transaction itself.
  const owner = payload.notificationUUID ? payload.data ?? payload.summary ?? payload.appData ?? {} : payload;
  require(owner.bundleId === app.bundleId, 'the data is for another app');
  require(owner.environment === app.environment, 'the data is of another environment');
  return payload;
}

/** Returns a token for the App Store Server API, which is valid for 20 minutes. */
export function apiToken({ privateKey, keyId, issuerId, bundleId }) {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = encode({ alg: 'ES256', kid: keyId, typ: 'JWT' });
  const payload = encode({ iss: issuerId, iat: now, exp: now + 1200, aud: 'appstoreconnect-v1', bid: bundleId });
  const key = { key: createPrivateKey(privateKey), dsaEncoding: 'ieee-p1363' };
  return `${header}.${payload}.${sign('sha256', Buffer.from(`${header}.${payload}`), key).toString('base64url')}`;
}
