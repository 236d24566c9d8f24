/**
 * E-mail addresses. Taken is a mailbox of RFC 5321 (4.1.2) that needs no quotes: a dot-string before the @, a domain name after
 * it. Quoted local parts, address literals (`v@[192.0.2.1]`) and local parts beyond ASCII (RFC 6531) are not; a domain with other letters (IDN)
 * is, and becomes its ASCII form, so that both are one address.
 */
import { domainToASCII, domainToUnicode } from "node:url";

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_STRING = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** A name of at least two parts, the last of which is no number: a local alias must not appear in SMTP (RFC 5321, 2.3.5). */
const PUBLIC_NAME = /\.(?![0-9]+$)[^.]+$/;
/** RFC 5321, 4.5.3.1: a path has 256 octets, two of which are its brackets. */
const MOST_LENGTH = 254;
const MOST_LOCAL_LENGTH = 64;

/**
 * An address as it is stored, compared and written to: trimmed, in lower case, its domain in ASCII. Undefined for what is not
 * taken. Of the texts that mail programs mend into one mailbox, one only is taken.
 */
export function emailAddress(text: string): string | undefined {
  const { localPart, domain } = mailboxOf(text.trim()) ?? { localPart: "", domain: "" };
  return PUBLIC_NAME.test(domain) ? `${localPart.toLowerCase()}@${domain}` : undefined;
}

/** What {@link emailAddress} gives; for what it does not take the text in lower case, as addresses were once stored. */
export function comparedAddress(text: string): string {
  return emailAddress(text) ?? text.trim().toLowerCase();
}

/** The parts of an address whose domain may be a name of this network only; undefined for what is none. */
export function mailboxOf(text: string): { readonly localPart: string; readonly domain: string } | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const at = text.lastIndexOf("@");
  const localPart = text.slice(0, Math.max(0, at));
  // Before the case is folded: the Kelvin sign is a k in lower case.
  if (localPart.length > MOST_LOCAL_LENGTH || !DOT_STRING.test(localPart)) return undefined;
  const domain = asciiDomain(text.slice(at + 1).toLowerCase());
  const isTaken = domain !== undefined && DOMAIN.test(domain);
  return isTaken && localPart.length + 1 + domain.length <= MOST_LENGTH ? { localPart, domain } : undefined;
}

/**
 * A domain in ASCII. Undefined when it is not written the one way: what IDNA would map to other characters (full-width letters, signs
 * that are not seen), an ASCII form that stands for nothing, a number that is read as another one.
 */
function asciiDomain(lower: string): string | undefined {
  // What else a host may hold in a URL is not looked at by the rules of domains: ports, escapes, brackets.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(lower)) return undefined;
  const ascii = domainToASCII(lower);
  const isWrittenSo = ascii === lower || domainToUnicode(ascii) === lower;
  return ascii !== "" && isWrittenSo ? ascii : undefined;
}
