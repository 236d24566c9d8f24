import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";

const CASES = "../shared/cases/registry";

describe.skipIf(!existsSync(CASES))("the cases of public reports (where ../shared/cases is there)", () => {
  let reported: OpenSnapshot;
  snapshotForAll(
    () =>
      readFileSync(`${CASES}/names.jsonl`, "utf8")
        .trim()
        .split("\n")
        .map((line) => {
          const { address, ...facts } = JSON.parse(line);
          return sourcedFacts(0, { ...facts, address: { kind: "visiting", ...address } });
        }),
    (opened) => {
      reported = opened;
    },
  );

  it("finds the company first", () => {
    const [, ...rows] = readFileSync(`${CASES}/queries.tsv`, "utf8").trim().split("\n");
    const pairs = rows.map((row) => row.split("\t"));
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs.map(([q = ""]) => [q, reported.autocomplete(q, 8)[0]?.name])).toEqual(pairs);
  });
});
