import { describe, expect, it } from "vitest";
import { csvOf, factsOf, molen } from "../../test/kit/gleif.ts";
import { importing } from "../../test/kit/importing.ts";

const TABLE = "kvk,naam,plaats,actief\n50000012,Korenaar,Rommeldam,ja\n50000021,Molen,Rommeldam,nee\n";

const { file, run, lookup } = importing();

describe("an import", () => {
  it("keeps the later of two names, across files too, and says which lines they are in", async () => {
    const [first, second] = [file("a.csv", TABLE), file("b.csv", "kvk,naam,actief\n50000021,Wiek,ja\n")];
    const report = await run("csv", [first, second], { name: "klanten", asOf: "2026-03-31T00:00:00.000Z" });
    expect(report.leftOutByReason).toEqual([
      {
        reason: "repeated with another name: the newer record counts, or the later one of the same date",
        count: 1,
        first: [{ file: first, line: 3, detail: `"Molen"; ${second}:2 counts: "Wiek"` }],
      },
    ]);
    expect((await lookup("50000021"))?.company.name).toBe("Wiek");
  });

  it("shows the city of a shielded address only if it is a place that open addresses have", async () => {
    const open = file("open.csv", "kvk,naam,plaats,actief\n50000012,Korenaar,Ter Kwak,ja\n");
    await run("csv", [open]);
    const rows = ["Ter Kwak", "Jan Zwaan", "Zwaan Ter Kwak", "Oevel"].map(
      (city, row) => `5000002${row},x,${city},ja,ja`,
    );
    await run("csv", [file("shielded.csv", ["kvk,naam,plaats,actief,afgeschermd", ...rows, ""].join("\n"))]);
    const shown = await Promise.all([0, 1, 2, 3].map((row) => lookup(`5000002${row}`)));
    expect(shown.map((found) => found?.company.address?.city)).toEqual([
      "Ter Kwak",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(["csv", "jsonl"] as const)(
    "leaves out dates of registration that cannot be, in %s",
    async (format) => {
      const dates = ["9999-12-31", "1111-11-11", "2011-03-14"];
      const row = (date: string, at: number) =>
        format === "csv"
          ? `5000002${at},x,ja,${date}`
          : JSON.stringify({ kvkNumber: `5000002${at}`, name: "x", isActive: true, registrationDate: date });
      const header = format === "csv" ? ["kvk,naam,actief,inschrijfdatum"] : [];
      const report = await run(format, [file("dates", [...header, ...dates.map(row), ""].join("\n"))]);
      expect(report.leftOutByReason).toMatchObject([
        { reason: "a value that is no registrationDate", count: 2 },
      ]);
      const found = await Promise.all([0, 1, 2].map((at) => lookup(`5000002${at}`)));
      expect(found.map((one) => one?.company.registrationDate)).toEqual([undefined, undefined, "2011-03-14"]);
    },
  );

  it("reports a record of GLEIF that is older than one with another name", async () => {
    const [newer, older] = [
      { ...molen, LastUpdateDate: "2026-02-03T00:00:00Z" },
      { ...molen, LegalName: "WIEKEN B.V.", LastUpdateDate: "2025-02-03T00:00:00Z" },
    ];
    const path = file("lei2.csv", csvOf(newer, older));
    const { leftOutByReason } = await run("gleif", [path]);
    const detail = `"WIEKEN B.V."; ${path}:2 counts: "MOLENWERKEN ROMMELDAM B.V."`;
    expect(leftOutByReason).toMatchObject([{ count: 1, first: [{ line: 3, detail }] }]);
  });

  it.each([
    ["12", "unit 7", "12"],
    ["12-14", "3de etage", "12-14"],
    ["12", "Zwaanhoeve", "12"],
    ["12", "C", "12-C"],
  ])("reads GLEIF's number %s with %j in the building as %s", async (AddressNumber, within, houseNumber) => {
    const row = { FirstAddressLine: "Kade", AddressNumber, AddressNumberWithinBuilding: within };
    expect((await factsOf(row)).address).toMatchObject({ street: "Kade", houseNumber });
  });
});
