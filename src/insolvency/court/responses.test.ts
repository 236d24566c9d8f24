import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { courtClient } from "../../../test/kit/courtSimulator.ts";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import type { CourtClient } from "./client.ts";
import { ADDRESSING, OPERATIONS, readReply, SERVICE, WSSE, WSU } from "./soap.ts";

const EXAMPLES = sharedPath("data/cir");
const DATE = `extractiedatum="2026-11-05T08:00:00.1234567+01:00"`;
const MODIFIED = ["searchModifiedSince", "publicatieLijst"] as const;
const REMOVED = ["searchRemovedSince", "verwijderdePublicatieLijst"] as const;
const CASE = ["getCase", "inspubWebserviceInsolvente"] as const;
const never = () => new AbortController().signal;

/** A client of a server that answers every call with these bytes. */
async function served(body: string | Buffer, status = 200): Promise<CourtClient> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return courtClient({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/` });
}

/** An answer in which the returned element has these attributes and this content. */
function answer([operation, name]: readonly [string, string], attributes: string, content: string): string {
  const namespace = "http://www.rechtspraak.nl/namespaces/";
  const result = `<${name} xmlns="${namespace}inspubber01" ${attributes}>${content}</${name}>`;
  return `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><${operation}Response xmlns="${namespace}cir01"><${operation}Result>${result}</${operation}Result></${operation}Response></e:Body></e:Envelope>`;
}

const REFERENCE = "<publicatieKenmerk>16.mne.26.100.F.1300.1.26</publicatieKenmerk>";
const REMOVAL = `<verwijderdeInsolventie><insolventienummer>F.16/26/100</insolventienummer>${REFERENCE}</verwijderdeInsolventie>`;
const GOOD = answer(MODIFIED, DATE, REFERENCE);

describe("a response of the court", () => {
  it.each([
    ["a date of seven decimals", GOOD, 1],
    ["no changes", answer(MODIFIED, DATE, `<exceptie errorcode="1">Geen</exceptie>`), 0],
    ["an XML declaration and comments", `<?xml version="1.0" encoding="utf-8"?><!-- x -->${GOOD}`, 1],
    ["lines and blanks", answer(MODIFIED, DATE, `\n  ${REFERENCE}\n  ${REFERENCE}\n`), 2],
    ["70,000 references", answer(MODIFIED, DATE, REFERENCE.repeat(70_000)), 70_000],
  ])("with %s is a list", async (_, body, length) => {
    const list = await (await served(body)).modifiedSince("2026-11-04T08:00:00+01:00", never());
    expect(list).toMatchObject({
      kind: "found",
      value: { extractedAt: "2026-11-05T08:00:00.1234567+01:00", items: { length } },
    });
  });

  it.each([
    ["no date", answer(MODIFIED, "", REFERENCE), "BAD_CONTENT"],
    ["a date that is none", answer(MODIFIED, `extractiedatum="today"`, REFERENCE), "BAD_CONTENT"],
    [
      "a date without zone",
      answer(MODIFIED, `extractiedatum="2026-11-05T08:00:00"`, REFERENCE),
      "BAD_CONTENT",
    ],
    ["no changes and no date", answer(MODIFIED, "", `<exceptie errorcode="1"/>`), "BAD_CONTENT"],
    ["an empty reference", answer(MODIFIED, DATE, `${REFERENCE}<publicatieKenmerk/>`), "BAD_CONTENT"],
    ["an unknown element", answer(MODIFIED, DATE, `${REFERENCE}<kenmerk>x</kenmerk>`), "BAD_CONTENT"],
    [
      "another namespace inside",
      answer(MODIFIED, DATE, `<publicatieKenmerk xmlns="">x</publicatieKenmerk>`),
      "BAD_CONTENT",
    ],
    [
      "an exception and references",
      answer(MODIFIED, DATE, `<exceptie errorcode="1"/>${REFERENCE}`),
      "BAD_CONTENT",
    ],
    ["an exception without code", answer(MODIFIED, DATE, "<exceptie/>"), "UNKNOWN_EXCEPTION"],
    ["the answer to another question", answer(CASE, "", `<exceptie errorcode="1"/>`), "UNREADABLE"],
    ["another list", answer(["searchModifiedSince", REMOVED[1]], DATE, REMOVAL), "UNREADABLE"],
    [
      "two answers",
      GOOD.replace("</searchModifiedSinceResult>", `<x/>$&`).replace(
        /<publicatieLijst.*<\/publicatieLijst>/,
        "$&$&",
      ),
      "UNREADABLE",
    ],
    ["half a document", GOOD.slice(0, GOOD.length / 2), "UNREADABLE"],
    ["nothing", "", "UNREADABLE"],
    ["JSON", `{"exceptie":1}`, "UNREADABLE"],
    ["a document type", `<!DOCTYPE x [<!ENTITY a "b">]>${GOOD}`, "UNREADABLE"],
    ["Latin letters", Buffer.from(GOOD.replace("<e:Body>", "<e:Body><!-- é -->"), "latin1"), "UNREADABLE"],
    ["deep nesting", answer(MODIFIED, DATE, `${"<a>".repeat(100)}${"</a>".repeat(100)}`), "UNREADABLE"],
  ])("with %s is no answer", async (_, body, reason) => {
    const list = await (await served(body)).modifiedSince("2026-11-04T08:00:00+01:00", never());
    expect(list).toMatchObject({ kind: "no-answer", reason });
  });

  it.each([
    ["no number", REMOVAL.replace(/<insolventienummer>.*<\/insolventienummer>/, "")],
    ["no reference", REMOVAL.replace(REFERENCE, "")],
  ])("with a removal that has %s is no answer", async (_, removal) => {
    const client = await served(answer(REMOVED, DATE, REMOVAL + removal));
    const list = await client.removedSince("2026-11-04T08:00:00+01:00", never());
    expect(list).toMatchObject({ kind: "no-answer", reason: "BAD_CONTENT" });
  });

  it.each([
    ["nothing inside", ""],
    ["two cases", "<insolvente/><insolvente/>"],
    ["an empty case", "<insolvente/>"],
    [
      "a case without a person",
      "<insolvente><insolventienummer>F.16/26/100</insolventienummer></insolvente>",
    ],
    ["a case in another namespace", `<insolvente xmlns="urn:x"/>`],
  ])("with %s is no answer about a case", async (_, content) => {
    const found = await (await served(answer(CASE, "", content))).caseOf(
      "16.mne.26.100.F.1300.1.26",
      never(),
    );
    expect(found).toMatchObject({ kind: "no-answer", reason: "BAD_CONTENT" });
  });

  it.each([
    ["no publications", ""],
    ["no publications, nor what it is about", "<persoon><KvKNummer>90001001</KvKNummer></persoon>"],
  ])("with a case that has %s says nothing about its company, and stops no other case", async (_, more) => {
    const person =
      "<persoon><rechtspersoonlijkheid>rechtspersoon</rechtspersoonlijkheid><KvKNummer>90001001</KvKNummer></persoon>";
    const content = `<insolvente><insolventienummer>F.16/26/100</insolventienummer>${more || person}</insolvente>`;
    const client = await served(answer(CASE, "", content));
    const found = await client.caseOf("16.mne.26.100.F.1300.1.26", never());
    expect(found).toMatchObject({ kind: "found", value: { kvkNumbers: ["90001001"] } });
    expect(found).not.toHaveProperty("value.since");
    expect(await client.caseOf("16.mne.26.101.F.1300.1.26", never())).toMatchObject({ reason: "WRONG_CASE" });
  });

  it("that is cut off anywhere never says that there is nothing", async () => {
    const whole = answer(CASE, "", `<exceptie errorcode="1">Geen resultaten</exceptie>`);
    const kinds = await Promise.all(
      Array.from({ length: whole.length - 1 }, async (_, length) => {
        const text = whole.slice(0, length + 1);
        return (await readReply({ kind: "response", status: 200, headers: {}, text }, "getCase")).kind;
      }),
    );
    expect(kinds.slice(0, -1).filter((kind) => kind !== "no-answer")).toEqual([]);
  });

  it("with an answer and an error status is no answer", async () => {
    const client = await served(GOOD, 500);
    expect(await client.modifiedSince("2026-11-04", never())).toMatchObject({ reason: "SERVER_FAILED" });
  });

  it("to a case is read up to 4 MiB", async () => {
    const client = await served(answer(CASE, "", `<insolvente>${" ".repeat(4 * 1024 * 1024)}</insolvente>`));
    expect(await client.caseOf("16.mne.26.100.F.1300.1.26", never())).toMatchObject({ reason: "TOO_LONG" });
  });
});

describeWith(shared(EXAMPLES), "the court's example", () => {
  const example = (name: string) => readFileSync(`${EXAMPLES}/${name}`);

  it("of changes is read", async () => {
    const client = await served(example("SearchModifiedSince.xml"));
    expect(await client.modifiedSince("2021-05-20T19:18:45.5725393+02:00", never())).toEqual({
      kind: "found",
      value: {
        extractedAt: "2021-05-21T19:18:45.5725393+02:00",
        items: [
          "01.obr.19.100.F.1308.1.00",
          "05.gel.19.100.F.1300.1.00",
          "08.ove.11.100.F.1316.1.00",
          "08.ove.17.100.F.1316.1.00",
        ],
      },
    });
  });

  it("of removals is read", async () => {
    const client = await served(example("SearchRemovedSince.xml"));
    expect(await client.removedSince("2021-05-20T19:18:45.5725393+02:00", never())).toEqual({
      kind: "found",
      value: {
        extractedAt: "2021-05-21T19:22:46.7563602+02:00",
        items: ["100", "200"].map((number) => ({
          caseNumber: `R.16/00/${number}`,
          publication: `16.mne.00.${number}.R.2348.1.00`,
          reason: "Eindevindbaarheid",
        })),
      },
    });
  });

  it("of another question is no answer", async () => {
    const client = await served(example("GetLastUpdate.xml"));
    expect(await client.modifiedSince("2021-05-20", never())).toMatchObject({ reason: "UNREADABLE" });
  });

  it("has the namespaces of the client's requests", () => {
    const text = example("SearchModifiedSince.xml").toString();
    for (const namespace of [ADDRESSING, WSSE, WSU, SERVICE]) expect(text).toContain(`"${namespace}"`);
  });
});

describeWith(shared(EXAMPLES), "the court's interface", () => {
  it.each(Object.entries(OPERATIONS))(
    "has %s with its action, parameter and result",
    (name, { parameter }) => {
      const text = readFileSync(`${EXAMPLES}/CIR.asmx.wsdl`, "utf8");
      expect(text).toContain(`<soap12:operation soapAction="${SERVICE}/${name}" style="document" />`);
      const [, fields = ""] =
        new RegExp(`<s:element name="${name}">(.*?)</s:sequence>`, "s").exec(text) ?? [];
      expect([...fields.matchAll(/ name="(\w+)"/g)].map(([, field]) => field)).toEqual([parameter]);
      expect(text).toContain(`name="${name}Result"`);
    },
  );
});
