import { expect, it } from "vitest";
import { add, current, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";

const COMPANIES = 300;
const rowsOf = (directory: string) => {
  const snapshot = current(directory);
  const { companies, branches, origins } = snapshot.info;
  return { rows: [...snapshot.all()], info: { companies, branches, origins } };
};

it("writes the same rows in any order of companies, with repeated ones last", async () => {
  const facts = Array.from({ length: COMPANIES }, (_, nth) => sourcedFacts(nth + 1));
  const later = [7, 150].map((number) =>
    sourcedFacts(number, { name: "Nieuw" }, { asOf: "2026-02-01T00:00:00.000Z" }),
  );
  const [few, many] = [facts.toSpliced(120, 1), facts.toReversed()];
  const late = facts[120];
  if (late === undefined) throw new RangeError("there is a company of that place");
  const registries: ReturnType<typeof rowsOf>[] = [];
  for (const order of [
    [...facts, ...later],
    [...few, ...later, late],
    [...many, ...later],
  ]) {
    const directory = temporaryFolder();
    const { counts } = await add(directory, ...order);
    expect(counts).toEqual({ new: COMPANIES, changed: 0, unchanged: 0, repeated: 2 });
    registries.push(rowsOf(directory));
  }
  expect(registries[1]).toEqual(registries[0]);
  expect(registries[2]).toEqual(registries[0]);
  expect(registries[0]?.rows.filter(({ company }) => company.name === "Nieuw")).toHaveLength(2);
  const directory = temporaryFolder();
  await add(directory, ...many);
  expect(rowsOf(directory).info).toEqual({
    companies: COMPANIES,
    branches: 0,
    origins: [{ origin: "demo", companies: COMPANIES, asOf: "2026-01-01T00:00:00.000Z" }],
  });
});
