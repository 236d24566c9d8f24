import { X509Certificate } from "node:crypto";
import { OperatorError } from "../lib/operatorError.ts";

/** A setting names a file without certificates, or with one that cannot be read. */
class BadCertificates extends OperatorError {
  override readonly name = "BadCertificates";
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM text without anything else, as an option of a connection.
 * @param setting its name, for the error
 * @throws {BadCertificates} when there are none or one cannot be read
 */
export function trusting(pem: string | undefined, setting: string): { readonly extraCertificates?: string } {
  if (pem === undefined) return {};
  const found = pem.match(CERTIFICATE) ?? [];
  try {
    for (const certificate of found) new X509Certificate(certificate);
    if (found.length > 0) return { extraCertificates: found.join("\n") };
  } catch {}
  throw new BadCertificates(`${setting} must name a file that holds certificates in PEM (BEGIN CERTIFICATE)`);
}
