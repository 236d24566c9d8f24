import { X509Certificate } from "node:crypto";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM text without anything else; undefined when there are none or one cannot be read. */
export function readCertificates(pem: string): string | undefined {
  const found = pem.match(CERTIFICATE) ?? [];
  try {
    for (const certificate of found) new X509Certificate(certificate);
    return found.length > 0 ? found.join("\n") : undefined;
  } catch {
    return undefined;
  }
}
