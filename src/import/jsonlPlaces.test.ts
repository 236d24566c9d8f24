import { describe, expect, it } from "vitest";
import { parseJsonLine } from "./jsonl.ts";

const minimal = { kvkNumber: "50000012", name: "Bakkerij De Gouden Korenaar B.V.", isActive: true };
const parseLine = (company: object) => parseJsonLine(JSON.stringify(company));

describe("the place of an address in a line", () => {
  const place = { location: { latitude: 52.1, longitude: 5.1 }, bagId: "0363010000000001" };
  const address = { street: "Kade", city: "Utrecht" };
  const branch = { branchNumber: "000050000012", isMain: true, isActive: true };

  it.each<[name: string, address: object | undefined, isKept: boolean]>([
    ["an open address", address, true],
    ["a shielded address", { ...address, isShielded: true }, false],
    ["a PO box", { ...address, street: "Postbus" }, false],
    ["an empty address", {}, false],
    ["no address", undefined, false],
  ])("is kept with an open visiting address only: %s", (_name, given, isKept) => {
    const stated = { ...place, ...(given !== undefined && { address: given }) };
    const read = parseLine({ ...minimal, ...stated, branches: [{ ...branch, ...stated }] });
    if ("reason" in read) throw new Error(read.reason);
    const { facts } = read;
    expect([facts.address?.geo, facts.branches?.[0]?.address?.geo]).toEqual(
      isKept ? [place, place] : [undefined, undefined],
    );
    expect(Object.keys(facts)).not.toContain("location");
    expect(Object.keys(facts.branches?.[0] ?? {})).not.toContain("bagId");
  });

  it.each([
    { location: { latitude: 0, longitude: 0 } },
    { location: { latitude: 5.1, longitude: 52.1 } },
    { location: { latitude: "52.1", longitude: 5.1 } },
    { location: { latitude: 52.1 } },
    { location: null },
    { bagId: "363010000000001" },
    { bagId: "0363200000000001" },
  ])("of another form rejects the line: %j", (part) => {
    expect(parseLine({ ...minimal, address, ...part })).toHaveProperty("reason");
  });
});
