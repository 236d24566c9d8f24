/** Reads an SMP's list of the documents that a participant can receive: SMP 1.0 of Peppol, and SMP 2.0 of OASIS. */
import { MAX_RECEIVED } from "../contract/peppol.ts";
import { parseXml, type XmlElement } from "../lib/xml.ts";
import { PARTICIPANT_SCHEME } from "./participants.ts";

const BUSDOX = "http://busdox.org/serviceMetadata/publishing/1.0/";
const OASIS = "http://docs.oasis-open.org/bdxr/ns/SMP/2/ServiceGroup";
const MAX_ID_LENGTH = 500;
const MAX_HREF_LENGTH = 4_000;
const SERVICES = "/services/";
/** Far more than real lists have. They are read in one step. */
const XML_LIMITS = { maxDepth: 16, maxElements: 5_000 };
/** Control and invisible characters, which would reach terminals and files. */
const UNREADABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
/** BIS Billing 3.0, and the Dutch NLCIUS. */
const CUSTOMIZATIONS = ["urn:fdc:peppol.eu:2017:poacc:billing:3.0", "urn:fdc:nen.nl:nlcius:v1.0"];
/** PINT: that of the network, and those of regions (Peppol's code list of document types). */
const PINT_REGIONS = ["", "@ae-1", "@aunz-1", "@eu-1", "@jp-1", "@my-1", "@sg-1"];

/** The whole identifiers of a document of UBL. */
function identifiersOf(document: string): readonly string[] {
  const type = `${UBL}:${document}-2::${document}##`;
  return [
    ...CUSTOMIZATIONS.map((one) => `busdox-docid-qns::${type}urn:cen.eu:en16931:2017#compliant#${one}::2.1`),
    ...PINT_REGIONS.map((one) => `peppol-doctype-wildcard::${type}urn:peppol:pint:billing-1${one}*::2.1`),
  ];
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ...identifiersOf("Invoice").map((id) => [id, "invoice"] as const),
  ...identifiersOf("CreditNote").map((id) => [id, "credit_note"] as const),
]);

/**
 * Returns the documents that a participant can receive: `invoice`, `credit_note`, then others by their identifier.
 * Undefined if the text is no such list, is about another participant, or has entries that cannot be read and no
 * invoice, so that it shows nothing.
 */
export async function readServiceGroup(
  text: string,
  participantId: string,
): Promise<readonly string[] | undefined> {
  const root = await parseXml(text, XML_LIMITS);
  if (typeof root === "string" || root.name !== "ServiceGroup") return undefined;
  const group = root.namespace === BUSDOX ? busdox(root) : root.namespace === OASIS ? oasis(root) : undefined;
  if (group === undefined || !isParticipant(group.participant, participantId)) return undefined;
  const documents = group.documents.filter(
    (id) => id !== undefined && id.length <= MAX_ID_LENGTH && !UNREADABLE.test(id),
  );
  const named = new Set(documents.flatMap((id) => (id === undefined ? [] : (NAMED.get(id) ?? []))));
  if (documents.length < group.documents.length && !named.has("invoice")) return undefined;
  const others = new Set(documents.flatMap((id) => (id === undefined || NAMED.has(id) ? [] : id)));
  const known = ["invoice", "credit_note"].filter((name) => named.has(name));
  return [...known, ...[...others].sort().slice(0, MAX_RECEIVED)];
}

interface ServiceGroup {
  readonly participant: { readonly scheme: string | undefined; readonly value: string } | undefined;
  /** Undefined for an entry that cannot be read. */
  readonly documents: readonly (string | undefined)[];
}

function busdox({ children }: XmlElement): ServiceGroup {
  const references = childrenOf(children, "ServiceMetadataReferenceCollection")
    .flatMap((one) => childrenOf(one.children, "ServiceMetadataReference"))
    .map(({ attributes }) => documentIn(attributes.get("href") ?? ""));
  return { participant: identifierOf(children, "ParticipantIdentifier", "scheme"), documents: references };
}

function oasis({ children }: XmlElement): ServiceGroup {
  const references = childrenOf(children, "ServiceReference").map((one) => {
    const id = identifierOf(one.children, "ID", "schemeID");
    return id?.scheme === undefined ? undefined : `${id.scheme}::${id.value}`;
  });
  return { participant: identifierOf(children, "ParticipantID", "schemeID"), documents: references };
}

function identifierOf(elements: readonly XmlElement[], name: string, scheme: string) {
  const [only, ...more] = childrenOf(elements, name);
  if (only === undefined || more.length > 0) return undefined;
  return { scheme: only.attributes.get(scheme), value: only.text.trim() };
}

function childrenOf(elements: readonly XmlElement[], name: string): readonly XmlElement[] {
  return elements.filter((one) => one.name === name);
}

/** Identifiers of participants are compared without case. */
function isParticipant(found: ServiceGroup["participant"], participantId: string): boolean {
  return (
    found?.scheme?.toLowerCase() === PARTICIPANT_SCHEME &&
    found.value.toLowerCase() === participantId.toLowerCase()
  );
}

/** The document type in the address of a reference, where it is encoded; undefined if there is none. */
function documentIn(href: string): string | undefined {
  const at = href.lastIndexOf(SERVICES);
  if (at < 0 || href.length > MAX_HREF_LENGTH) return undefined;
  const encoded = href.slice(at + SERVICES.length).trim();
  if (/[/?]/.test(encoded)) return undefined;
  try {
    const id = decodeURIComponent(encoded);
    return id.includes("::") ? id : undefined;
  } catch {
    return undefined;
  }
}
