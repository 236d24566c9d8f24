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
    [{ vatNumber: "BE0403019261", name: "Zwebbel" }, "INVALID_VAT_NUMBER"],
    [{ rsin: "12345678" }, "INVALID_REQUEST"],
    [{ city: "Breda" }, "INVALID_REQUEST"],
    [{ name: " \u200b " }, "INVALID_REQUEST"],
    [{ name: "x".repeat(701) }, "INVALID_REQUEST"],
    [{ name: "x", street: "x".repeat(201) }, "INVALID_REQUEST"],
  ])("%j is read as %j", (sent, expected) => {
    const read = readQuery(sent);
    expect("code" in read ? read.code : read).toEqual(expected);
  });

  it("is refused without repeating its VAT number", () => {
    expect(JSON.stringify(readQuery({ vatNumber: "NL123456782X01" }))).not.toContain("123456782");
  });
});
