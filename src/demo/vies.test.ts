import { expect, it, onTestFinished } from "vitest";
import { add, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { check } from "../../test/kit/viesSimulator.ts";
import { startDemoVies } from "./vies.ts";

it("the demo's VIES knows its companies, but not those that ended or are in a fiscal unit", async () => {
  const directory = temporaryFolder();
  const address = { street: "Dorpsstraat", houseNumber: "1", postalCode: "1234 AB", city: "Ons Dorp" };
  await add(
    directory,
    sourcedFacts(1, { rsin: "123456782", address: { ...address, country: "NL", kind: "visiting" } }),
    // 900000012 and 900000024 are numbers of a fiscal unit: twelve goes into them.
    sourcedFacts(2, { rsin: "900000012" }),
    sourcedFacts(3, { rsin: "900000024", vatNumber: "NL123456789B13" }),
    sourcedFacts(4, { rsin: "900000037", isActive: false }),
    sourcedFacts(5, { vatNumber: "NL000099998B57", isActive: false }),
    sourcedFacts(6),
  );
  const vies = await startDemoVies("127.0.0.1", directory);
  onTestFinished(() => vies.stop());
  expect(await check(vies, "NL", "123456782B01")).toMatchObject({
    valid: true,
    name: "VOORBEELD 1 B.V.",
    address: "\nDORPSSTRAAT 00001\n1234AB ONS DORP\n",
  });
  // The registry's own number is the only one of its company.
  expect(await check(vies, "NL", "123456789B13")).toMatchObject({ valid: true, name: "VOORBEELD 3 B.V." });
  for (const refused of ["900000012B01", "900000024B01", "900000037B01", "000099998B57"]) {
    expect(await check(vies, "NL", refused), refused).toMatchObject({ valid: false, name: "---" });
  }
  // What the registry does not hold, the simulator makes up.
  expect(await check(vies, "NL", "123456782B90")).toMatchObject({ valid: true });
});

it("the demo's VIES answers without a registry too", async () => {
  const vies = await startDemoVies("127.0.0.1", temporaryFolder());
  onTestFinished(() => vies.stop());
  expect(await check(vies, "NL", "123456782B90")).toMatchObject({ valid: true });
});
