import { describe, expect, it } from "vitest";
import { type InvalidQuery, readQuery, type SentQuery } from "./readQuery.ts";

describe("a query of a caller", () => {
  it.each<[SentQuery, SentQuery | InvalidQuery["code"]]>([
    [{ name: "  Zwebbel  B.V. ", city: "" }, { name: "Zwebbel B.V." }],
    [{ name: "Zwebbel B.V.\nafd. Inkoop" }, { name: "Zwebbel B.V., afd. Inkoop" }],
    [{ rsin: "9000.00.017" }, { rsin: "900000017" }],
    [{ vatNumber: "nl 900000017 b01" }, { vatNumber: "NL900000017B01" }],
    [
      { postalCode: "3999ab", houseNumber: "17" },
      { postalCode: "3999ab", houseNumber: "17" },
    ],
    [{ name: "90000017" }, { kvkNumber: "90000017" }],
    [
      { name: "KvK-nr. 9000 0017", city: "Breda" },
      { kvkNumber: "90000017", city: "Breda" },
    ],
    [
      { name: "90000017", kvkNumber: "90000025" },
      { name: "90000017", kvkNumber: "90000025" },
    ],
    [{ name: "9000001" }, { name: "9000001" }],
    [{ name: "31-12-2026" }, { name: "31-12-2026" }],
    [{ kvkNumber: "1234567" }, "INVALID_KVK_NUMBER"],
    [{ vatNumber: "BE0403019261" }, "INVALID_VAT_NUMBER"],
    [{ rsin: "12345678" }, "INVALID_REQUEST"],
    [{ city: "Breda" }, "INVALID_REQUEST"],
    [{ name: " \u200b " }, "INVALID_REQUEST"],
    [{ name: "x".repeat(701) }, "INVALID_REQUEST"],
    [{ name: "x", street: "x".repeat(201) }, "INVALID_REQUEST"],
  ])("%j is read as %j", (sent, expected) => {
    const read = readQuery(sent);
    expect("code" in read ? read.code : read).toEqual(expected);
  });

  it.each<[SentQuery, SentQuery, readonly string[]]>([
    [{ kvkNumber: "6000346" }, { kvkNumber: "06000346" }, ["number_padded"]],
    [{ kvkNumber: "KvK 6.000.346" }, { kvkNumber: "06000346" }, ["number_padded"]],
    [{ kvkNumber: "KVK 60000346" }, { kvkNumber: "60000346" }, []],
    [{ kvkNumber: "600034" }, {}, ["number_unusable"]],
    [{ kvkNumber: "00000000" }, {}, ["number_unusable"]],
    [{ kvkNumber: "123456789" }, {}, ["number_unusable"]],
    [{ kvkNumber: "123" }, {}, ["number_unusable"]],
    [{ kvkNumber: "0" }, {}, ["number_unusable"]],
    ...["n.v.t.", "nvt", "N/A", "None", "NaN", "null", "geen", "niet bekend", "---", "–"].map(
      (kvkNumber): [SentQuery, SentQuery, readonly string[]] => [{ kvkNumber }, {}, []],
    ),
    [{ kvkNumber: "in oprichting" }, {}, ["number_unusable"]],
    [{ kvkNumber: "06-12345678" }, {}, ["number_unusable"]],
    [{ kvkNumber: "31-12-2026" }, {}, ["number_unusable"]],
    [{ kvkNumber: "x".repeat(5_000) }, {}, ["number_unusable"]],
    [{ kvkNumber: " - " }, {}, []],
    [{ rsin: "23456780" }, {}, ["number_unusable"]],
    [{ rsin: "10000008" }, { rsin: "010000008" }, ["number_padded"]],
    [{ rsin: "onbekend", vatNumber: "n.v.t" }, {}, []],
    [{ vatNumber: "BE0403019261" }, {}, ["number_unusable"]],
    [{ vatNumber: "NL12345678B01" }, {}, ["number_unusable"]],
    [{ vatNumber: "NL900000017B01" }, { vatNumber: "NL900000017B01" }, []],
    [
      { kvkNumber: "6000346", rsin: "12", vatNumber: "x1" },
      { kvkNumber: "06000346" },
      ["number_padded", "number_unusable", "number_unusable"],
    ],
  ])("with a name uses of the numbers %j only %j, and says so", (numbers, used, codes) => {
    const read = readQuery({ name: "Zwebbel", ...numbers });
    const { notes = [], ...query } = "code" in read ? { notes: [], name: read.message } : read;
    expect(query).toEqual({ name: "Zwebbel", ...used });
    expect(notes.map(({ code }) => code)).toEqual(codes);
    expect(JSON.stringify(notes)).not.toMatch(/0403019261|12345678|23456780|10000008/);
  });

  it("with an address and no name leaves an impossible number out as well", () => {
    const address = { postalCode: "3999 AB", houseNumber: "17" };
    expect(readQuery({ ...address, kvkNumber: "in oprichting" })).toEqual({
      ...address,
      notes: [{ code: "number_unusable", message: expect.stringContaining("was not used") }],
    });
  });

  it.each([
    "-",
    "0",
    "000",
    "n.v.t.",
    "#N/B",
    "#N/A",
    "#VERW!",
    "onbekend",
    "?",
    "...",
    "Totaal",
    "Subtotaal:",
  ])("is refused for a name that is none: %s", (name) =>
    expect(readQuery({ name })).toMatchObject({ code: "INVALID_REQUEST" }),
  );

  it.each(["TOTAAL", "Eindtotaal", "Grand total", "Totaal debiteuren", "(optioneel)", "(verplicht)"])(
    "is refused for a label without anything else: %s",
    (name) => {
      expect(readQuery({ name })).toMatchObject({ message: expect.stringContaining(name) });
      expect(readQuery({ name, city: "Breda" })).toEqual({ name, city: "Breda" });
    },
  );

  it.each(["Totaal Techniek B.V.", "De Totalen", "3M", "1001", "Nul20", "#Werk", "De Nul", "A"])(
    "may have an unusual name: %s",
    (name) => expect(readQuery({ name })).toEqual({ name }),
  );

  it("uses a number without the name that is none", () => {
    expect(readQuery({ name: "n.v.t.", kvkNumber: "60000346" })).toEqual({ kvkNumber: "60000346" });
    expect(readQuery({ name: "-", kvkNumber: "n.v.t.", rsin: "900000017" })).toEqual({ rsin: "900000017" });
    expect(readQuery({ name: "-", kvkNumber: "6000346" })).toMatchObject({ code: "INVALID_KVK_NUMBER" });
  });

  it.each<keyof SentQuery>(["city", "postalCode", "street", "houseNumber", "website"])(
    "has no %s if a word says that it is unknown",
    (field) => {
      for (const word of [
        "",
        " ",
        "-",
        "--",
        "?",
        "n.v.t.",
        "N V T",
        "NULL",
        "none",
        "undefined",
        "Onbekend",
      ])
        expect(readQuery({ name: "Fabel", [field]: word }), word).toEqual({ name: "Fabel" });
    },
  );

  it("is refused without repeating its VAT number", () => {
    expect(JSON.stringify(readQuery({ vatNumber: "NL123456782X01" }))).not.toContain("123456782");
  });
});
