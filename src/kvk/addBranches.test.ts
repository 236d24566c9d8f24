import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf, profile } from "../../test/kit/kvkProfile.ts";
import { isJsonObject } from "../lib/values.ts";
import { addBranches, branchesWithoutAddress, withProfiles } from "./addBranches.ts";

const row = (number: string, more: object = {}) => ({
  vestigingsnummer: number,
  eersteHandelsnaam: `Korenaar ${number.slice(-2)}`,
  indHoofdvestiging: "Nee",
  indAdresAfgeschermd: "Nee",
  volledigAdres: "Molenstraat 3 3511BT Utrecht",
  ...more,
});
const main = row("000050000012", {
  indHoofdvestiging: "Ja",
  volledigAdres: "Korenmolenlaan 17 M   1034WL Rommeldam",
});
const facts = factsOf(profile);

describe("addBranches", () => {
  it("returns the same facts as profile and list together", () => {
    for (const vestigingen of [
      [row("000050000099"), main],
      [row("000050000099", { volledigAdres: undefined })],
      [{ ...main, indAdresAfgeschermd: "Ja" }, row("000050000099", { indAdresAfgeschermd: "Ja" })],
    ]) {
      const list = { kvkNummer: "50000012", totaalAantalVestigingen: 2, vestigingen };
      const whole = factsOf(profile, list);
      const added = addBranches(facts, list).facts;
      // If the list lacks the main branch, its name is unknown.
      const nameless = added.branches?.map((branch) => ({
        ...branch,
        ...(branch.isMain && { name: whole.branches?.[0]?.name }),
      }));
      expect({ ...added, branches: nameless }).toEqual(whole);
    }
  });

  it("ignores a list of another company or an invalid one", () => {
    const other = { kvkNummer: "50000021", vestigingen: [main] };
    expect(addBranches(facts, other)).toMatchObject({ facts, leftOut: [{ reason: /another company/ }] });
    expect(addBranches(facts, { vestigingen: "…" }).facts).toBe(facts);
  });

  it("takes the main branch's address from the list if the company has its owner's address", () => {
    const list = { vestigingen: [{ ...main, volledigAdres: "Molenstraat 3 3511BT Utrecht" }] };
    expect(addBranches(facts, list).facts.branches).toMatchObject([
      { isMain: true, address: { street: "Molenstraat", postalCode: "3511 BT" } },
    ]);
  });

  it("requests a branch profile only without an address and without shielding", () => {
    const list = {
      vestigingen: [
        row("000050000012", { volledigAdres: undefined }),
        row("000050000020"),
        row("000050000030", { volledigAdres: undefined }),
        row("000050000040", { volledigAdres: undefined, indAdresAfgeschermd: "Ja" }),
        row("000050000050", { volledigAdres: "" }),
      ],
    };
    expect(branchesWithoutAddress(facts, list)).toEqual(["000050000030", "000050000050"]);
    const own = { vestigingsnummer: "000050000030", adressen: [{ type: "bezoekadres", plaats: "Zeist" }] };
    const completed = withProfiles(list, new Map([["000050000030", own]]));
    const { branches } = addBranches(facts, completed).facts;
    expect(branches?.find(({ branchNumber }) => branchNumber === "000050000030")).toMatchObject({
      name: "Korenaar 30",
      address: { city: "Zeist" },
    });
  });

  it("ignores a row with an invalid branch number", () => {
    const rows = [{ vestigingsnummer: { toString: "" } }, { vestigingsnummer: null }, {}, "…"];
    const profiles = new Map([["000050000099", { adressen: [7] }]]);
    expect(withProfiles({ vestigingen: rows }, profiles)).toEqual({ vestigingen: rows });
  });

  it("never throws and never reveals a shielded address", () => {
    const anyRow = fc.record(
      {
        vestigingsnummer: fc.oneof(fc.constant("000050000012"), fc.constant("000050000099"), fc.jsonValue()),
        indAdresAfgeschermd: fc.oneof(fc.constant("Ja"), fc.constant("Nee"), fc.jsonValue()),
        volledigAdres: fc.oneof(fc.constant("Molenstraat 3 3511BT Utrecht"), fc.jsonValue()),
        adressen: fc.jsonValue(),
        materieleRegistratie: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const anyList = fc.oneof(fc.record({ vestigingen: fc.array(anyRow) }), fc.jsonValue());
    fc.assert(
      fc.property(anyList, (list) => {
        const added = addBranches(facts, list).facts;
        branchesWithoutAddress(facts, list);
        if (isJsonObject(list)) withProfiles(list, new Map([["000050000099", { adressen: [7] }]]));
        for (const { address } of added.branches ?? []) {
          if (address?.isShielded === true) expect(address).not.toHaveProperty("street");
        }
        if (added.address?.isShielded === true) expect(added.address).not.toHaveProperty("postalCode");
      }),
    );
  });
});
