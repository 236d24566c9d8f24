import { describe, expect, it } from "vitest";
import { type InvalidQuery, readQuery, type SentQuery } from "./readQuery.ts";
import type { MatchQuery } from "./types.ts";

describe("a query of a caller", () => {
  it.each<[SentQuery, MatchQuery | InvalidQuery["code"]]>([
    [{ name: "  Zwebbel  B.V. ", city: "" }, { name: "Zwebbel B.V." }],
    [{ name: "Zwebbel B.V.\nafd. Inkoop" }, { name: "Zwebbel B.V., afd. Inkoop" }],
    [{ rsin: "9000.00.017" }, { rsin: "900000017" }],
    [{ vatNumber: "nl 900000017 b01" }, { vatNumber: "NL900000017B01" }],
    [
      { postalCode: "3999ab", houseNumber: "17" },
      { postalCode: "3999ab", houseNumber: "17" },
    ],
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
