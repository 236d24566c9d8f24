import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";

const CASES = sharedPath("cases/registry");

describeWith(shared(CASES), "publicly reported searches", () => {
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

  it("rank the expected company first", () => {
    const [, ...rows] = readFileSync(`${CASES}/queries.tsv`, "utf8").trim().split("\n");
    const pairs = rows.map((row) => row.split("\t"));
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs.map(([q = ""]) => [q, reported.autocomplete(q, 8)[0]?.name])).toEqual(pairs);
  });
});
