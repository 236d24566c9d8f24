import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputOf } from "../../../test/kit/input.ts";
import type { ImportInput } from "../open/openInput.ts";
import { ImportRefused, type RecordResult } from "../outcome.ts";
import { readTable } from "./csv/read.ts";
import type { FormatContext } from "./format.ts";
import { readGleif } from "./gleif.ts";
import { readJsonl, readKvk } from "./json.ts";

const table = { encoding: "utf8" as const, map: new Map(), assumeActive: true, padKvkNumbers: true };

/** Each format with a valid file. */
const FORMATS: Readonly<Record<string, [(context: FormatContext) => AsyncIterable<RecordResult>, string]>> = {
  csv: [
    (context) => readTable(context, table),
    'kvk;naam;adres;actief;sbi;rechtsvorm\n50000012;"Korenaar ""B.V.""";"Molenweg 3-A, 1034 WL Rommeldam";ja;1071;BV\n50000021;Molen;;nee;;41\n',
  ],
  gleif: [
    readGleif,
    "LEI,Entity.LegalName,Entity.RegistrationAuthority.RegistrationAuthorityID,Entity.RegistrationAuthority.RegistrationAuthorityEntityID,Entity.EntityStatus,Registration.LastUpdateDate,Entity.LegalAddress.City,Entity.LegalAddress.Country\n5493,Molen,RA000463,50000012,ACTIVE,2026-02-03T08:00:00Z,ROMMELDAM,NL\n",
  ],
  jsonl: [
    readJsonl,
    '{"kvkNumber":"50000012","name":"Korenaar","isActive":true,"address":{"city":"Rommeldam"},"branches":[]}\n{"kvkNumber":"50000021","name":"Molen","isActive":false}\n',
  ],
  kvk: [
    readKvk,
    '[{"kvkNummer":"50000012","naam":"Korenaar","handelsnamen":[{"naam":"Graan","volgorde":0}],"_embedded":{"hoofdvestiging":{"adressen":[{"type":"bezoekadres","straatnaam":"Molenweg","huisnummer":3}]},"eigenaar":{"rechtsvorm":"Stichting"}}},\n{"kvkNummer":"50000021","naam":"Molen"}]',
  ],
};

async function outcomes(format: string, input: ImportInput): Promise<RecordResult[] | ImportRefused> {
  const [read] = FORMATS[format] ?? [];
  const found: RecordResult[] = [];
  try {
    for await (const outcome of read?.({ input, origin: "import:x", asOf: "2026-01-01T00:00:00.000Z" }) ??
      []) {
      found.push(outcome);
    }
  } catch (error) {
    if (error instanceof ImportRefused) return error;
    throw error;
  }
  return found;
}

const change = fc.record({
  at: fc.nat(),
  drop: fc.integer({ min: 0, max: 12 }),
  add: fc.uint8Array({ maxLength: 6 }),
});

describe.each(Object.keys(FORMATS))("a file of the format %s", (format) => {
  const file = Buffer.from(FORMATS[format]?.[1] ?? "");

  it("is read completely", async () => {
    const found = await outcomes(format, inputOf("file", file));
    expect(found).toMatchObject(
      format === "gleif" ? [{ kind: "facts" }] : [{ kind: "facts" }, { kind: "facts" }],
    );
  });

  it("yields companies, skipped records or an error after any change of its bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let bytes: Buffer = file;
        for (const { at, drop, add } of changes) {
          const from = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, from), add, bytes.subarray(from + drop)]);
        }
        const found = await outcomes(format, inputOf("file", bytes));
        if (found instanceof ImportRefused) return;
        for (const outcome of found) {
          if (outcome.kind !== "facts") continue;
          expect(outcome.sourced.facts.kvkNumber).toMatch(/^[0-9]{8}$/);
          expect(outcome.sourced.facts.name).not.toBe("");
          expect(JSON.stringify(outcome.sourced)).not.toMatch(/:null|:""/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
