import { retryAfterSeconds } from "../../lib/retryAfter.ts";
import { known } from "../../lib/values.ts";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import type { UpstreamResponse } from "../../upstream/pool.ts";
import { CONTENT, childOf, childrenOf } from "./elements.ts";
import * as failures from "./failures.ts";

/** Operations with the name of their parameter and of the element that they return. */
export const OPERATIONS = {
  searchModifiedSince: { parameter: "modifyDate", returns: "publicatieLijst" },
  searchRemovedSince: { parameter: "modifyDate", returns: "verwijderdePublicatieLijst" },
  getCase: { parameter: "publicationNumber", returns: "inspubWebserviceInsolvente" },
} as const;
export type Operation = keyof typeof OPERATIONS;

/** A response: the returned element, or why there is none. `none`: the court found nothing. */
export type Reply =
  | { readonly kind: "found"; readonly content: XmlElement }
  | { readonly kind: "none"; readonly content: XmlElement }
  | { readonly kind: "expired" }
  | failures.CourtFailure;

export interface Login {
  readonly user: string;
  readonly password: string;
}

export const SERVICE = "http://www.rechtspraak.nl/namespaces/cir01";
export const SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
export const SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
export const ADDRESSING = "http://schemas.xmlsoap.org/ws/2004/08/addressing";
const SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";
export const WSSE = `${SECURITY}wssecurity-secext-1.0.xsd`;
export const WSU = `${SECURITY}wssecurity-utility-1.0.xsd`;
export const PASSWORD_TEXT = `${SECURITY}username-token-profile-1.0#PasswordText`;
const VALID_FOR_MS = 5 * 60_000;
/** The list of all cases has some 70,000 references. */
const MAX_ELEMENTS = 1_000_000;
/** In the code or text of a fault. */
const LOGIN_FAULT = /FailedAuthentication|InvalidSecurity|SecurityToken/;

export const actionOf = (operation: Operation) => `${SERVICE}/${operation}`;

/** The content type of a request, SOAP 1.2. */
export const contentTypeOf = (operation: Operation) =>
  `application/soap+xml; charset=utf-8; action="${actionOf(operation)}"`;

/** A request with WS-Addressing of August 2004 and a user name token. */
export function envelopeOf(
  operation: Operation,
  argument: string,
  { url, user, password }: Login & { readonly url: string },
): string {
  const { parameter } = OPERATIONS[operation];
  const [created, expires] = [0, VALID_FOR_MS].map((laterMs) => new Date(Date.now() + laterMs).toISOString());
  return [
    `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${SOAP_12}" xmlns:a="${ADDRESSING}"><s:Header>`,
    `<a:Action>${actionOf(operation)}</a:Action><a:MessageID>urn:uuid:${crypto.randomUUID()}</a:MessageID>`,
    `<a:ReplyTo><a:Address>${ADDRESSING}/role/anonymous</a:Address></a:ReplyTo><a:To>${escapeXml(url)}</a:To>`,
    `<o:Security xmlns:o="${WSSE}" xmlns:u="${WSU}" s:mustUnderstand="1">`,
    `<u:Timestamp><u:Created>${created}</u:Created><u:Expires>${expires}</u:Expires></u:Timestamp>`,
    `<o:UsernameToken><o:Username>${escapeXml(user)}</o:Username>`,
    `<o:Password Type="${PASSWORD_TEXT}">${escapeXml(password)}</o:Password></o:UsernameToken>`,
    `</o:Security></s:Header><s:Body><${operation} xmlns="${SERVICE}">`,
    `<${parameter}>${escapeXml(argument)}</${parameter}></${operation}></s:Body></s:Envelope>`,
  ].join("");
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Reads a response, SOAP 1.2 or 1.1. Never rejects. */
export async function readReply(response: UpstreamResponse, operation: Operation): Promise<Reply> {
  const { status, text } = response;
  if (status === 401 || status === 403) return failures.LOGIN_REFUSED;
  const root = await parseXml(text, { maxElements: MAX_ELEMENTS });
  const envelope =
    typeof root !== "string" && root.name === "Envelope" && [SOAP_12, SOAP_11].includes(root.namespace)
      ? root
      : undefined;
  const body = childOf(envelope, "Body", envelope?.namespace);
  const isFault = childrenOf(body, "Fault", envelope?.namespace).length > 0;
  if (isFault && LOGIN_FAULT.test(text)) return failures.LOGIN_REFUSED;
  if (isFault || status !== 200) {
    const failure = isFault ? failures.FAULT : failures.SERVER_FAILED;
    return { ...failure, ...known("retryAfterSeconds", retryAfterSeconds(response)) };
  }
  const answer = childOf(childOf(body, `${operation}Response`, SERVICE), `${operation}Result`, SERVICE);
  const content = childOf(answer, OPERATIONS[operation].returns);
  return content === undefined ? failures.UNREADABLE : replyOf(content);
}

function replyOf(content: XmlElement): Reply {
  const exceptions = content.children.filter(({ name }) => name === "exceptie");
  const [exception] = exceptions;
  if (exception === undefined) return { kind: "found", content };
  if (content.children.length > 1 || exception.namespace !== CONTENT) return failures.BAD_CONTENT;
  const code = exception.attributes.get("errorcode")?.trim() ?? "";
  if (code === "1") return { kind: "none", content };
  if (code === "5") return { kind: "expired" };
  return failures.EXCEPTIONS.get(code) ?? failures.UNKNOWN_EXCEPTION;
}
