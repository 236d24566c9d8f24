import { describe, expect, it, onTestFinished } from "vitest";
import { add, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { check } from "../../../test/kit/viesSimulator.ts";
import { knownToVies, type NumberHolder, startDemoVies } from "./holders.ts";

it("the demo's VIES knows its companies, except inactive ones and those in a fiscal unit", async () => {
  const directory = temporaryFolder();
  const address = { street: "Dorpsstraat", houseNumber: "1", postalCode: "1234 AB", city: "Ons Dorp" };
  await add(
    directory,
    sourcedFacts(1, { rsin: "912345603", address: { ...address, country: "NL", kind: "visiting" } }),
    // 900000012 and 900000024 are divisible by twelve, so they belong to a fiscal unit.
    sourcedFacts(2, { rsin: "900000012" }),
    sourcedFacts(3, { rsin: "900000024", vatNumber: "NL123456789B13" }),
    sourcedFacts(4, { rsin: "900000037", isActive: false }),
    sourcedFacts(5, { vatNumber: "NL000099998B57", isActive: false }),
    sourcedFacts(6),
  );
  const vies = await startDemoVies("127.0.0.1", directory);
  onTestFinished(() => vies.stop());
  expect(await check(vies, "NL", "912345603B01")).toMatchObject({
    valid: true,
    name: "VOORBEELD 1 B.V.",
    address: "\nDORPSSTRAAT 00001\n1234AB ONS DORP\n",
  });
  // A number from the registry replaces the derived one.
  expect(await check(vies, "NL", "123456789B13")).toMatchObject({ valid: true, name: "VOORBEELD 3 B.V." });
  for (const refused of ["900000012B01", "900000024B01", "900000037B01", "000099998B57"]) {
    expect(await check(vies, "NL", refused), refused).toMatchObject({ valid: false, name: "---" });
  }
  // The simulator makes up traders for all other numbers.
  expect(await check(vies, "NL", "912345603B90")).toMatchObject({ valid: true });
});

it("the demo's VIES also responds without a registry", async () => {
  const vies = await startDemoVies("127.0.0.1", temporaryFolder());
  onTestFinished(() => vies.stop());
  expect(await check(vies, "NL", "912345603B90")).toMatchObject({ valid: true });
});

const holder = (rsin: string): NumberHolder => ({
  company: { name: `Bedrijf ${rsin}`, isActive: true, rsin },
});

describe("knownToVies", () => {
  it("reads the companies on the first request for a Dutch number, and only once", async () => {
    let reads = 0;
    const companyOf = knownToVies(() => {
      reads += 1;
      return [holder("912345603")];
    });
    expect(await companyOf("DE", "912345603B01")).toBeUndefined();
    expect(reads).toBe(0);
    const answers = await Promise.all([
      companyOf("NL", "912345603B01"),
      companyOf("NL", "912345603B01"),
      companyOf("NL", "999999990B01"),
    ]);
    expect(answers).toEqual([{ name: "BEDRIJF 912345603", address: "\n\n" }, answers[0], undefined]);
    expect(reads).toBe(1);
  });

  it("does not block the event loop while it reads", async () => {
    let read = 0;
    const companyOf = knownToVies(function* () {
      for (; read < 5_000; read++) yield holder(String(900_000_001 + read));
    });
    const answer = companyOf("NL", "900000001B01");
    const seen: number[] = [];
    while (read < 5_000) {
      seen.push(read);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await answer).toMatchObject({ name: "BEDRIJF 900000001" });
    expect(Math.max(...seen.map((count, at) => count - (seen[at - 1] ?? 0)))).toBeLessThanOrEqual(500);
  });
});
