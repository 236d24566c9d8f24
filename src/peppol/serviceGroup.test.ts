import { describe, expect, it } from "vitest";
import { readServiceGroup } from "./serviceGroup.ts";

const PARTICIPANT = "0106:50000001";
const SCHEME = "iso6523-actorid-upis";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
const BIS = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const NLCIUS = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0::2.1";
const PINT = "urn:peppol:pint:billing-1";
const INVOICE = `busdox-docid-qns::${UBL}:Invoice-2::Invoice##${BIS}`;
const CREDIT_NOTE = `busdox-docid-qns::${UBL}:CreditNote-2::CreditNote##${BIS}`;
const ORDER = `busdox-docid-qns::${UBL}:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const participantPart = (id: string, scheme: string) =>
  `<ids:ParticipantIdentifier scheme="${scheme}">${escaped(id)}</ids:ParticipantIdentifier>`;
const hrefOf = (document: string) =>
  `https://smp.example/${encodeURIComponent(`${SCHEME}::${PARTICIPANT}`)}/services/${encodeURIComponent(document)}`;

interface Parts {
  readonly hrefs?: readonly string[];
  /** The elements that name the participant. */
  readonly participant?: string;
  readonly namespace?: string;
}

/** SMP 1.0, as Peppol publishes it. */
const busdox = ({
  hrefs = [],
  participant = participantPart(PARTICIPANT, SCHEME),
  namespace = "http://busdox.org/serviceMetadata/publishing/1.0/",
}: Parts): string => `<?xml version="1.0" encoding="UTF-8"?>
<smp:ServiceGroup xmlns:smp="${namespace}" xmlns:ids="http://busdox.org/transport/identifiers/1.0/">
  ${participant}
  <smp:ServiceMetadataReferenceCollection>
    ${hrefs.map((href) => `<smp:ServiceMetadataReference href="${escaped(href)}"/>`).join("\n    ")}
  </smp:ServiceMetadataReferenceCollection>
</smp:ServiceGroup>`;
const listing = (...documents: readonly string[]) => busdox({ hrefs: documents.map(hrefOf) });

/** SMP 2.0 of OASIS. */
const oasis = (
  documents: readonly string[],
  participant = `<b:ParticipantID schemeID="${SCHEME}">${PARTICIPANT}</b:ParticipantID>`,
): string => `<ServiceGroup xmlns="http://docs.oasis-open.org/bdxr/ns/SMP/2/ServiceGroup"
  xmlns:a="http://docs.oasis-open.org/bdxr/ns/SMP/2/AggregateComponents"
  xmlns:b="http://docs.oasis-open.org/bdxr/ns/SMP/2/BasicComponents">
  <b:SMPVersionID>2.0</b:SMPVersionID>
  ${participant}
  ${documents.map(oasisReference).join("\n  ")}
</ServiceGroup>`;

function oasisReference(document: string): string {
  const at = document.indexOf("::");
  const [scheme, value] = [document.slice(0, at), document.slice(at + 2)];
  return `<a:ServiceReference><b:ID schemeID="${scheme}">${escaped(value)}</b:ID></a:ServiceReference>`;
}

const read = (text: string, participantId = PARTICIPANT) => readServiceGroup(text, participantId);

/** Identifiers of invoices and credit notes, literally. */
const COUNTED: readonly (readonly [name: string, document: string])[] = ["Invoice", "CreditNote"].flatMap(
  (type) => {
    const name = type === "Invoice" ? "invoice" : "credit_note";
    const root = `${UBL}:${type}-2::${type}##`;
    return [
      [name, `busdox-docid-qns::${root}${BIS}`] as const,
      [name, `busdox-docid-qns::${root}${NLCIUS}`] as const,
      ...["", "@ae-1", "@aunz-1", "@eu-1", "@jp-1", "@my-1", "@sg-1"].map(
        (region) => [name, `peppol-doctype-wildcard::${root}${PINT}${region}*::2.1`] as const,
      ),
    ];
  },
);

describe("an identifier that counts", () => {
  it("is that of the reference", () => {
    expect(COUNTED.map(([, document]) => document)).toContain(
      "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1",
    );
  });

  it.each(COUNTED)("as %s: %s", async (name, document) => {
    expect(await read(listing(document))).toEqual([name]);
    expect(await read(oasis([document]))).toEqual([name]);
    expect(await read(listing(ORDER, document, document))).toEqual([name, ORDER]);
  });
});

const inInvoice = (from: string, to: string) => INVOICE.replace(from, to);
const SIMILAR: readonly string[] = [
  inInvoice("::2.1", "::2.2"),
  inInvoice("::2.1", "::2.10"),
  inInvoice("::2.1", "::2.0"),
  inInvoice("::2.1", ""),
  inInvoice("billing:3.0", "billing:3.1"),
  inInvoice("billing:3.0", "billing:3.0.1"),
  inInvoice("billing:3.0", "billing:4.0"),
  inInvoice("billing:3.0", "selfbilling:3.0"),
  inInvoice("en16931:2017", "en16931:2026"),
  inInvoice("#compliant#", "#conformant#"),
  inInvoice("#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0", ""),
  inInvoice("fdc:peppol.eu", "fdc:peppol.example"),
  inInvoice("busdox-docid-qns", "peppol-doctype-wildcard"),
  inInvoice("busdox-docid-qns", "bdx-docid-qns"),
  inInvoice("busdox-docid-qns", "BUSDOX-DOCID-QNS"),
  inInvoice("Invoice-2::Invoice", "Invoice-2::CreditNote"),
  inInvoice("Invoice-2::Invoice", "CreditNote-2::Invoice"),
  inInvoice("Invoice-2::Invoice", "Invoice-1::Invoice"),
  inInvoice("Invoice-2::Invoice", "SelfBilledInvoice-2::SelfBilledInvoice"),
  inInvoice("Invoice-2::Invoice", "invoice-2::invoice"),
  inInvoice("##", "#"),
  inInvoice("##", "###"),
  INVOICE.toLowerCase(),
  `x${INVOICE}`,
  `${INVOICE}x`,
  `${INVOICE}*`,
  `${INVOICE}::2.1`,
  ` ${INVOICE}`,
  `${INVOICE} `,
  inInvoice("::Invoice##", ":: Invoice##"),
  `busdox-docid-qns::${INVOICE}`,
  INVOICE.slice("busdox-docid-qns::".length),
  `busdox-docid-qns::${UBL}:Invoice-2::Invoice##${NLCIUS.replace("v1.0", "v1.1")}`,
  `busdox-docid-qns::${UBL}:Invoice-2::Invoice##${NLCIUS.replace("nlcius:v1.0", "nlcius:v1.0#extended")}`,
  `busdox-docid-qns::${UBL}:Invoice-2::Invoice##${PINT}::2.1`,
  `busdox-docid-qns::${UBL}:Invoice-2::Invoice##${PINT}*::2.1`,
  `peppol-doctype-wildcard::${UBL}:Invoice-2::Invoice##${PINT}::2.1`,
  `peppol-doctype-wildcard::${UBL}:Invoice-2::Invoice##urn:peppol:pint:billing-2*::2.1`,
  `peppol-doctype-wildcard::${UBL}:Invoice-2::Invoice##urn:peppol:pint:selfbilling-1*::2.1`,
  `peppol-doctype-wildcard::${UBL}:Invoice-2::Invoice##${PINT}@xx-1*::2.1`,
  "urn:cen.eu:en16931:2017::invoice",
];

describe("an identifier that resembles an invoice", () => {
  it.each(SIMILAR)("is another document: %j", async (document) => {
    expect(await read(listing(document))).toEqual([document]);
    expect(await read(listing(document, CREDIT_NOTE))).toEqual(["credit_note", document]);
  });

  it.each([`${SCHEME}::${PARTICIPANT}`, "::invoice", "credit_note::"])(
    "or a name of this service is neither: %j",
    async (document) => {
      expect(await read(listing(document))).toEqual([document]);
    },
  );
});

describe("the list", () => {
  it("has invoices and credit notes first, then others by their identifier, each once", async () => {
    const others = [ORDER, `a::${ORDER}`, `z::${ORDER}`];
    const all = [...others.toReversed(), CREDIT_NOTE, ORDER, INVOICE, CREDIT_NOTE];
    const expected = ["invoice", "credit_note", ...others.toSorted()];
    expect(await read(listing(...all))).toEqual(expected);
    expect(await read(oasis(all))).toEqual(expected);
  });

  it("may be empty: a participant that receives nothing", async () => {
    expect(await read(listing())).toEqual([]);
    expect(await read(oasis([]))).toEqual([]);
  });

  it("has at most a hundred others, whatever their order", async () => {
    const others = Array.from(
      { length: 250 },
      (_, nth) => `busdox-docid-qns::urn:${String(nth).padStart(3, "0")}`,
    );
    const first = others.slice(0, 100);
    expect(await read(listing(...others.toReversed()))).toEqual(first);
    expect(await read(listing(...others, INVOICE))).toEqual(["invoice", ...first]);
  });

  it("is read with other prefixes", async () => {
    const plain = listing(INVOICE)
      .replaceAll(/(<\/?)smp:/g, "$1")
      .replace("xmlns:smp=", "xmlns=");
    expect(plain).toContain("<ServiceGroup xmlns=");
    expect(await read(plain)).toEqual(["invoice"]);
  });

  it("is read with an identifier that is not encoded", async () => {
    const group = busdox({ hrefs: [`https://smp.example/services/${INVOICE}`] });
    expect(await read(group)).toEqual(["invoice"]);
  });

  it("is read with the participant in any case", async () => {
    const vat = participantPart("9944:nl123456782b90", SCHEME.toUpperCase());
    const group = busdox({ participant: vat, hrefs: [hrefOf(INVOICE)] });
    expect(await read(group, "9944:NL123456782B90")).toEqual(["invoice"]);
  });
});

describe("an entry that cannot be read", () => {
  it.each([
    "",
    "https://smp.example/",
    "https://smp.example/services/",
    `https://smp.example/documents/${encodeURIComponent(INVOICE)}`,
    `https://smp.example/services/${encodeURIComponent(INVOICE)}/`,
    `https://smp.example/services/${encodeURIComponent(INVOICE)}?a=b`,
    `https://smp.example/services/${encodeURIComponent(encodeURIComponent(INVOICE))}`,
    "https://smp.example/services/%E0%A4%A",
    "https://smp.example/services/invoice",
    "https://smp.example/services/a%3A%3Ab%1B%5B31m",
    "https://smp.example/services/a%3A%3Ab%00",
    "https://smp.example/services/a%3A%3A%E2%80%AEb",
    `https://smp.example/services/${encodeURIComponent(`busdox-docid-qns::${"x".repeat(500)}`)}`,
  ])("makes a list without an invoice no answer: %j", async (href) => {
    expect(await read(busdox({ hrefs: [href] }))).toBeUndefined();
    expect(await read(busdox({ hrefs: [hrefOf(ORDER), href, hrefOf(CREDIT_NOTE)] }))).toBeUndefined();
    expect(await read(busdox({ hrefs: [hrefOf(INVOICE), href, hrefOf(ORDER)] }))).toEqual(["invoice", ORDER]);
  });

  it("in SMP 2.0 is one without an ID, or without its scheme", async () => {
    for (const bad of [
      "<a:ServiceReference/>",
      "<a:ServiceReference><b:ID>x::y</b:ID></a:ServiceReference>",
    ]) {
      const at = "</ServiceGroup>";
      expect(await read(oasis([ORDER]).replace(at, `${bad}${at}`))).toBeUndefined();
      expect(await read(oasis([INVOICE]).replace(at, `${bad}${at}`))).toEqual(["invoice"]);
    }
  });
});

describe("no answer is", () => {
  const hrefs = [hrefOf(INVOICE)];
  const ofParticipant = (participant: string) => busdox({ participant, hrefs });
  const good = listing(INVOICE);

  it.each([
    ["another participant", ofParticipant(participantPart("0106:50000002", SCHEME))],
    ["a longer number", ofParticipant(participantPart(`${PARTICIPANT}0`, SCHEME))],
    ["the number under another scheme of numbers", ofParticipant(participantPart("0190:50000001", SCHEME))],
    ["no participant", ofParticipant("")],
    ["an empty participant", ofParticipant(participantPart("", SCHEME))],
    ["the same participant twice", ofParticipant(participantPart(PARTICIPANT, SCHEME).repeat(2))],
    [
      "two participants",
      ofParticipant(participantPart(PARTICIPANT, SCHEME) + participantPart("0106:50000002", SCHEME)),
    ],
    ["another scheme", ofParticipant(participantPart(PARTICIPANT, "busdox-actorid-upis"))],
    ["an empty scheme", ofParticipant(participantPart(PARTICIPANT, ""))],
    ["no scheme", ofParticipant(`<ids:ParticipantIdentifier>${PARTICIPANT}</ids:ParticipantIdentifier>`)],
    ["the scheme within the text", ofParticipant(participantPart(`${SCHEME}::${PARTICIPANT}`, SCHEME))],
    [
      "another participant in SMP 2.0",
      oasis([INVOICE], `<b:ParticipantID schemeID="${SCHEME}">0106:1</b:ParticipantID>`),
    ],
    ["no participant in SMP 2.0", oasis([INVOICE], "")],
    ["another namespace", busdox({ namespace: "http://busdox.org/serviceMetadata/publishing/2.0/", hrefs })],
    [
      "the namespace of a later version of OASIS",
      oasis([INVOICE]).replace("SMP/2/ServiceGroup", "SMP/3/ServiceGroup"),
    ],
    ["no namespace", good.replaceAll("smp:", "").replace(/ xmlns:smp="[^"]*"/, "")],
    ["another document of the SMP", good.replaceAll("smp:ServiceGroup", "smp:SignedServiceMetadata")],
    ["a document type", good.replace("?>", "?><!DOCTYPE smp:ServiceGroup>")],
    ["an entity", good.replace("?>", '?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>')],
    ["HTML", "<!doctype html><html><head><title>Log in</title></head><body></body></html>"],
    ["XHTML", '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
    ["JSON", '{"error":"not found"}'],
    ["an empty text", ""],
    ["blanks", " \n"],
    ["XML without an element", '<?xml version="1.0"?>'],
    ["two roots", good + good.replace(/<\?.*\?>/, "")],
    ["an end that differs", good.replace("</smp:ServiceGroup>", "</smp:Servicegroup>")],
    ["broken bytes", good.replace("smp.example", "smp\u{fffd}example")],
    ["nesting that is too deep", good.replace("<ids:", `${"<a>".repeat(64)}${"</a>".repeat(64)}<ids:`)],
    ["too many elements", good.replace("<ids:", `${"<a/>".repeat(5_001)}<ids:`)],
  ])("%s", async (_, text) => {
    expect(await read(text)).toBeUndefined();
  });

  it("a text that is cut anywhere", async () => {
    for (let length = 0; length < good.length; length += 7) {
      expect(await read(good.slice(0, length)), String(length)).toBeUndefined();
    }
  });

  it("only the faults: the unchanged texts are read", async () => {
    expect(await read(good)).toEqual(["invoice"]);
    expect(await read(oasis([INVOICE]))).toEqual(["invoice"]);
  });
});
