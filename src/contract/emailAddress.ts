/**
 * E-mail addresses. Accepted are mailboxes of RFC 5321 (4.1.2) that need no quotes: a dot-string before the @, a domain
 * name after it. Quoted local parts, address literals (`v@[192.0.2.1]`) and local parts beyond ASCII (RFC 6531) are not
 * accepted. An internationalised domain (IDN) becomes its ASCII form, so that both are one address.
 */
import { domainToASCII, domainToUnicode } from "node:url";

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_STRING = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/**
 * A name of at least two parts, the last of them not a number: a local alias must not appear in SMTP (RFC 5321, 2.3.5).
 */
const PUBLIC_NAME = /\.(?![0-9]+$)[^.]+$/;
/** RFC 5321, 4.5.3.1: a path has 256 octets, two of which are its brackets. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/**
 * An address as it is stored, compared and mailed to: trimmed, in lower case, its domain in ASCII. Undefined for a text
 * that is not accepted. Only one spelling of a mailbox is accepted, though mail programs correct others.
 */
export function emailAddress(text: string): string | undefined {
  const { localPart, domain } = mailboxOf(text.trim()) ?? { localPart: "", domain: "" };
  return PUBLIC_NAME.test(domain) ? `${localPart.toLowerCase()}@${domain}` : undefined;
}

/** Returns {@link emailAddress}, or the lower-case text of an address it rejects: older releases stored those. */
export function comparedAddress(text: string): string {
  return emailAddress(text) ?? text.trim().toLowerCase();
}

/** The parts of an address, whose domain may be a local name; undefined for other texts. */
export function mailboxOf(text: string): { readonly localPart: string; readonly domain: string } | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const at = text.lastIndexOf("@");
  const localPart = text.slice(0, Math.max(0, at));
  // Checked before lower-casing: the Kelvin sign becomes a k.
  if (localPart.length > MAX_LOCAL_LENGTH || !DOT_STRING.test(localPart)) return undefined;
  const domain = asciiDomain(text.slice(at + 1).toLowerCase());
  const isAccepted = domain !== undefined && DOMAIN.test(domain);
  return isAccepted && localPart.length + 1 + domain.length <= MAX_LENGTH ? { localPart, domain } : undefined;
}

/**
 * Returns a domain in ASCII. Undefined unless the domain is in canonical form: IDNA maps it to other characters
 * (full-width or invisible ones), its ASCII form is invalid, or it is a number in a non-canonical notation.
 */
function asciiDomain(lower: string): string | undefined {
  // Ports, escapes and brackets of a URL's host are not checked by the rules of domains.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(lower)) return undefined;
  const ascii = domainToASCII(lower);
  const isCanonical = ascii === lower || domainToUnicode(ascii) === lower;
  return ascii !== "" && isCanonical ? ascii : undefined;
}
