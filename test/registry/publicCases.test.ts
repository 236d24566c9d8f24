/** Files and formats from public bug reports of similar projects, if available: the result for each. */
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readGleif } from "../../src/import/formats/gleif.ts";
import { readKvk } from "../../src/import/formats/json.ts";
import type { RecordResult } from "../../src/import/outcome.ts";
import { receiveList } from "../../src/jobs/receiving.ts";
import { inputOf } from "../kit/input.ts";
import { describeWith, shared, sharedPath } from "../kit/needs.ts";
import { read } from "../kit/table.ts";

const CASES = sharedPath("cases/registry");
const file = (name: string) => readFileSync(`${CASES}/${name}`, "utf8");

async function all(outcomes: AsyncIterable<RecordResult>): Promise<RecordResult[]> {
  const found: RecordResult[] = [];
  for await (const outcome of outcomes) found.push(outcome);
  return found;
}
const table = (name: string, assumeActive = false) => read(file(name), { assumeActive });
const context = (name: string) => ({
  input: inputOf(name, file(name)),
  origin: "gleif",
  asOf: "2026-01-01T00:00:00.000Z",
});
const factsIn = (outcomes: readonly RecordResult[]) =>
  outcomes.flatMap((outcome) => (outcome.kind === "facts" ? [outcome.sourced.facts] : []));

describeWith(shared(CASES), "cases of public reports", () => {
  it("C1: a shielded address shows at most its city and country", async () => {
    const facts = factsIn(await table("csv-shielded.csv"));
    expect(facts).toHaveLength(6);
    expect(facts.map(({ address }) => address?.city)).toEqual(["Rommeldam", ...Array(5).fill(undefined)]);
    for (const { address } of facts) {
      expect(
        Object.keys(address ?? {}).filter((key) => !["city", "country", "isShielded", "kind"].includes(key)),
      ).toEqual([]);
    }
  });

  it("C2: an unknown country leaves a Dutch address Dutch", async () => {
    const dutch = {
      street: "Kade",
      houseNumber: "12",
      postalCode: "1234 AB",
      city: "Rommeldam",
      country: "NL",
    };
    const facts = factsIn(await table("csv-country-text.csv"));
    expect(facts.filter(({ address }) => address?.country === "NL").map(({ address }) => address)).toEqual(
      Array(6).fill({ ...dutch, kind: "visiting" }),
    );
    expect(facts.at(-1)?.address).toEqual({
      street: "Kade 12",
      city: "Gent",
      country: "BE",
      kind: "visiting",
    });
  });

  it("C4, C16: KVK numbers are read in any notation, and a placeholder is not one", async () => {
    const outcomes = await table("csv-numbers.csv");
    expect(factsIn(outcomes).map(({ kvkNumber }) => kvkNumber)).toEqual([
      "50000012",
      "50000020",
      "50000038",
      "50000046",
      "50000054",
      "50000062",
      "50000070",
    ]);
    expect(outcomes.filter(({ kind }) => kind === "skipped")).toHaveLength(1);
    const list = await receiveList(Readable.from([Buffer.from(file("csv-numbers.csv"))]), "csv", "lookup");
    expect(list).toMatchObject({ sent: 8, payable: 8 });
  });

  it("C5, C6: a future or missing date dissolves no company", async () => {
    const facts = factsIn(await table("csv-end-dates.csv"));
    expect(facts.map(({ isActive, deregistrationDate }) => [isActive, deregistrationDate])).toEqual([
      [true, undefined],
      [true, "2099-01-01"],
      [true, undefined],
      [false, "2020-01-01"],
    ]);
    const [none, toCome, was] = factsIn(await all(readKvk(context("kvk-end-dates.jsonl"))));
    expect(none).toMatchObject({ isActive: true });
    expect(none).not.toHaveProperty("deregistrationDate");
    // The date of this one is still to come.
    expect(toCome?.deregistrationDate).toBe("2030-12-31");
    expect(was).toMatchObject({ isActive: false, deregistrationDate: "2020-01-01" });
  });

  it("C7: a past end date takes precedence over a status, and is counted", async () => {
    expect(await table("csv-status-and-end.csv")).toMatchObject([
      { sourced: { facts: { isActive: false, deregistrationDate: "2020-01-01" } }, leftOut: [{}] },
    ]);
  });

  it("C9: the headings of data packages are recognised", async () => {
    for (const name of ["csv-headings-snelstart.csv", "csv-headings-kleisteen.csv"]) {
      expect(factsIn(await table(name, true))).toMatchObject([
        {
          kvkNumber: "50000012",
          name: "Kruidenier",
          address: { street: "Kade", postalCode: "1234 AB", country: "NL" },
        },
      ]);
    }
  });

  it("C11: a separator line is skipped", async () => {
    expect(factsIn(await table("csv-sep-quoted.csv"))).toMatchObject([{ kvkNumber: "50000012" }]);
    const list = receiveList(Readable.from([Buffer.from(file("jobs-sep.csv"))]), "csv", "lookup");
    expect(await list).toMatchObject({ numbers: ["50000012"] });
  });

  it("C13: HTML entities are decoded", async () => {
    const [first, second] = factsIn(await table("csv-entities.csv"));
    expect(first).toMatchObject({
      name: "Bloemen & Planten",
      address: { street: "Van 't Hoffstraat", city: "'s-Gravenhage" },
    });
    expect(second).toMatchObject({ name: "Café Zon" });
  });

  it("A1, A3: house numbers and PO boxes are recognised", async () => {
    const expected = file("csv-addresses.expected.tsv").trim().split("\n").slice(1);
    const facts = factsIn(await table("csv-addresses.csv"));
    expect(facts).toHaveLength(expected.length);
    for (const [nth, line] of expected.entries()) {
      const [, expected = ""] = line.split("\t");
      const { address } = facts[nth] ?? {};
      const [street = "", numbers = ""] = expected.split("|");
      expect(address?.street, line).toBe(street);
      expect(numbers.split(" or "), line).toContain(address?.houseNumber);
      expect(address?.kind, line).toBe(street === "Postbus" ? "correspondence" : "visiting");
    }
  });

  it("G1: a withdrawn record replaces none in force", async () => {
    const facts = factsIn(await all(readGleif(context("gleif-withdrawn-lei.csv"))));
    expect(facts).toMatchObject([
      { name: "MOLEN NIEUW B.V.", isActive: true },
      { name: "HOOP NIEUW B.V.", isActive: true },
    ]);
  });

  it("G4: the number within a building is an addition, and a unit is not", async () => {
    const facts = factsIn(await all(readGleif(context("gleif-address-lines.csv"))));
    expect(facts.map(({ address }) => `${address?.street} ${address?.houseNumber}`)).toEqual([
      "Kade 12-3",
      "Kade 12",
      "Postbus 90801",
    ]);
  });

  it("K2: KVK's countries have their codes, and one without a code is counted", async () => {
    const outcomes = await all(readKvk(context("kvk-countries.jsonl")));
    expect(factsIn(outcomes).map(({ address }) => address?.country)).toEqual([
      "BQ",
      "BQ",
      "BQ",
      "BY",
      "MO",
      undefined,
      "CD",
      "XK",
      "GB",
    ]);
    const counted = outcomes.flatMap((outcome) => (outcome.kind === "facts" ? outcome.leftOut : []));
    expect(counted.filter(({ reason }) => reason === "a country that no rule maps")).toHaveLength(1);
  });
});
