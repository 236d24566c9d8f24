import { describe, expect, it } from "vitest";
import { csvOf, factsOf, molen, read } from "../../../test/kit/gleif.ts";
import { mergeFacts } from "../../company/merge.ts";
import { kvkNumberOf } from "../../contract/numbers.ts";

describe("the LEI golden copy", () => {
  it.each([
    ...["ISSUED", "LAPSED", "RETIRED", "MERGED", "TRANSFERRED", "PENDING_TRANSFER", "PENDING_ARCHIVAL"].map(
      (RegistrationStatus) =>
        [{ RegistrationStatus }, { leiStatus: RegistrationStatus.toLowerCase() }, []] as const,
    ),
    [{ RegistrationStatus: "" }, { leiStatus: undefined }, []],
    [{ RegistrationStatus: "FROZEN" }, { leiStatus: undefined }, ["a status of an LEI that no rule maps"]],
    [{ NextRenewalDate: "" }, { leiRenewalDue: undefined }, []],
    [{ NextRenewalDate: "2028-02-29T00:30:00+02:00" }, { leiRenewalDue: "2028-02-29" }, []],
    [
      { NextRenewalDate: "2027-02-30T00:00:00Z" },
      { leiRenewalDue: undefined },
      ["a renewal date of an LEI that is no date"],
    ],
    [{ LEI: "9999 0050000012mo0192" }, {}, []],
  ] as const)("reads the LEI of %j", async (columns, changes, reasons) => {
    const lei = { lei: "99990050000012MO0192", leiStatus: "issued", leiRenewalDue: "2027-02-03" };
    const [outcome] = await read(csvOf({ ...molen, ...columns }));
    expect(outcome).toMatchObject({ leftOut: reasons.map((reason) => ({ reason })) });
    expect((await factsOf(columns)).identifiers).toEqual(
      Object.fromEntries(Object.entries({ ...lei, ...changes }).filter(([, value]) => value !== undefined)),
    );
  });

  it.each(["99990050000012MO0191", "99990050000012MO019", "9999005000001\u00c9MO0192", ""])(
    "leaves out the LEI %j with its status, and counts it",
    async (LEI) => {
      expect(await read(csvOf({ ...molen, LEI }))).toMatchObject([
        { kind: "facts", leftOut: [{ reason: "an LEI of another form or with wrong check digits" }] },
      ]);
      expect((await factsOf({ LEI })).identifiers).toBeUndefined();
    },
  );

  it("has the LEI of a fund with the fund alone", async () => {
    const [outcome] = await read(csvOf({ ...molen, EntityCategory: "FUND" }));
    if (outcome?.kind !== "facts") throw new Error("the fund was not read");
    const manager = { origin: "import:fabel", asOf: "2020-01-01T00:00:00.000Z" };
    const { identifiers, ...facts } = outcome.sourced.facts;
    expect(identifiers?.lei).toBe(molen["LEI"]);
    expect(mergeFacts([outcome.sourced]).facts.identifiers).toEqual(identifiers);
    expect(mergeFacts([outcome.sourced, { ...manager, facts }]).facts).not.toHaveProperty("identifiers");
  });

  it("leaves one origin's LEI whole when another is fresher", () => {
    const facts = (lei: object) => ({
      kvkNumber: kvkNumberOf(50000012),
      name: "Molen",
      isActive: true,
      ...lei,
    });
    const gleif = { lei: "99990050000012MO0192", leiStatus: "lapsed", leiRenewalDue: "2025-01-01" } as const;
    const other = { lei: "99990051234567AB1209" };
    const of = (origin: string, year: number, lei: object) => ({
      origin,
      asOf: `${year}-01-01T00:00:00.000Z`,
      facts: facts(lei),
    });
    const merged = (...all: ReturnType<typeof of>[]) => mergeFacts(all).facts.identifiers;
    expect(merged(of("gleif", 2025, { identifiers: gleif }), of("import:a", 2026, {}))).toEqual(gleif);
    expect(
      merged(of("gleif", 2025, { identifiers: gleif }), of("import:a", 2026, { identifiers: other })),
    ).toEqual(other);
  });
});
