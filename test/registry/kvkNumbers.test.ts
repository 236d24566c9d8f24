/** One rule for KVK numbers as people write them, for every input: import, lists, the terminal, the page. */
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { findColumn } from "../../dashboard/src/pages/try/list/job/kvkColumn.ts";
import { readNumber } from "../../dashboard/src/pages/try/list/job/lookupKind.ts";
import { KVK_NUMBER_HEADINGS, VAT_NUMBER_HEADINGS } from "../../src/contract/headings.ts";
import { parseKvkNumberText } from "../../src/contract/kvkNumberText.ts";
import { isPayable } from "../../src/jobs/kinds.ts";
import { receiveList } from "../../src/jobs/receiving.ts";
import { OTHER_NUMBERS, SHORT_KVK_NUMBERS, WRITTEN_KVK_NUMBERS } from "../kit/kvkNumberForms.ts";
import { sourcedFacts } from "../kit/registry.ts";
import { read } from "../kit/table.ts";
import { terminal } from "../kit/terminal.ts";

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const imported = async (text: string) => {
  const [outcome] = await read(`kvk;naam;actief\n${cell(text)};x;ja\n`);
  return outcome?.kind === "facts" ? outcome.sourced.facts.kvkNumber : undefined;
};
const listed = (text: string) => receiveList(Readable.from([Buffer.from(text)]), "csv", "lookup");

describe("a KVK number", () => {
  it.each(WRITTEN_KVK_NUMBERS)("is read in every input: %j", async (text) => {
    expect(parseKvkNumberText(text)).toEqual({ kind: "number", number: "50000012" });
    expect(readNumber(text)).toEqual({ kind: "number", number: "50000012" });
    expect(await imported(text)).toBe("50000012");
    expect(isPayable("lookup", text)).toBe(true);
    // The same number again is not counted twice.
    expect(await listed(`kvk\n${cell(text)}\n50000012\n`)).toMatchObject({ sent: 2, payable: 1 });
    if (text.startsWith("=")) expect(await listed(`kvk\n${text}\n`)).toMatchObject({ payable: 1 });
    const { run, add } = terminal();
    await add(sourcedFacts(12));
    expect((await run("lookup", text)).out[0]).toContain("50000012");
  });

  it.each(SHORT_KVK_NUMBERS)("with a missing zero is not corrected: %j", async (text) => {
    expect(parseKvkNumberText(text)).toEqual({ kind: "short", number: "05000001" });
    expect(await read(`kvk;naam;actief\n${text};x;ja\n`)).toMatchObject([
      { rejection: { reason: expect.stringContaining("a leading zero was lost") } },
    ]);
    expect(await read(`kvk;naam;actief\n${text};x;ja\n`, { padKvkNumbers: true })).toMatchObject([
      { sourced: { facts: { kvkNumber: "05000001" } } },
    ]);
    expect(isPayable("lookup", text)).toBe(false);
  });

  it.each(OTHER_NUMBERS)("is rejected: %j", async (text) => {
    expect(parseKvkNumberText(text).kind).toBe("other");
    expect(readNumber(text).kind).toBe("other");
    expect(await imported(text)).toBeUndefined();
    expect(isPayable("lookup", text)).toBe(false);
  });
});

const HEADINGS = [
  ...[
    "KvK-nummer",
    "KVK nr.",
    "Nummer kvk",
    "kvk_nummer",
    "KvKNummer",
    "KVK",
    "Handelsregisternummer",
    "Dossiernummer",
  ],
  ...[
    "Kamer van Koophandel",
    "Chamber of Commerce number",
    "ChamberOfCommerce",
    "chamber_of_commerce",
    "COC number",
  ],
  ...["CoC No.", "coc", "KvK nummer (8 cijfers)".replace(" (8 cijfers)", "")],
  ...KVK_NUMBER_HEADINGS,
];

describe("a column of KVK numbers", () => {
  it.each(HEADINGS)("is recognised in every input by the heading %s", async (heading) => {
    expect(await read(`${heading};naam;actief\n50000012;x;ja\n`)).toMatchObject([{ kind: "facts" }]);
    expect(await listed(`klant;${heading}\n7;50000012\n`)).toMatchObject({ numbers: ["50000012"] });
    expect(
      findColumn([
        ["klant", heading],
        ["7", "50000012"],
      ]),
    ).toMatchObject({ column: 1 });
  });

  it.each(["btw-nummer", "BTW nummer", "VAT number", "VAT-ID", "btw_id", ...VAT_NUMBER_HEADINGS])(
    "of VAT numbers is recognised by %s",
    async (heading) => {
      expect(await read(`kvk;naam;actief;${heading}\n50000012;x;ja;NL123456782B90\n`)).toMatchObject([
        { sourced: { facts: { vatNumber: "NL123456782B90" } } },
      ]);
      const text = `${heading}\nNL123456782B90\n`;
      expect(await receiveList(Readable.from([Buffer.from(text)]), "csv", "vat")).toMatchObject({
        payable: 1,
      });
    },
  );
});

describe("Excel's separator line", () => {
  it.each(["sep=;", '"sep=;"', "\ufeffsep=;", '\ufeff"sep=;"', "SEP=;", '"sep=;";;'])(
    "is skipped: %j",
    async (line) => {
      const text = `${line}\r\nkvk;naam;actief\r\n50000012;x;ja\r\n`;
      expect(await read(text)).toMatchObject([{ kind: "facts" }]);
      expect(await listed(text)).toMatchObject({ numbers: ["50000012"] });
    },
  );

  it("is an ordinary row further down", async () => {
    expect(await listed("kvk\nsep=;\n")).toMatchObject({ sent: 1, payable: 0 });
  });
});
