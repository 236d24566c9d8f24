import { describe, expect, it } from "vitest";
import { sourcedFacts } from "../../test/kit/registry.ts";
import { endedWith, terminal } from "../../test/kit/terminal.ts";

const address = { street: "Dorpsstraat", houseNumber: "1", postalCode: "1234 AB", city: "Ons Dorp" };
const company = sourcedFacts(1, {
  name: "Korenaar B.V.",
  tradingNames: ["Korenaar", "Banket Express"],
  websites: [],
  nonMailing: true,
  address: { ...address, country: "NL", kind: "visiting" },
  activities: [{ sbiCode: "10711", description: "Vervaardiging van brood", isMain: true }],
  branches: [{ branchNumber: "000000000001", name: "Korenaar", isMain: true, isActive: true, address }],
});

describe("opzoek lookup", () => {
  it("shows a company, a line per known field", async () => {
    const { run, add } = terminal();
    await add(company);
    expect((await run("lookup", "50000001")).out).toEqual([
      "kvkNumber  50000001",
      "name       Korenaar B.V.",
      "address    Dorpsstraat 1, 1234 AB Ons Dorp, NL",
      "isActive   yes",
      "source     kvk demo, cachedAt 2026-01-01T00:00:00.000Z",
    ]);
    const { out } = await run("lookup", "50000001", "--enrich");
    for (const line of [
      /^tradingNames +Korenaar; Banket Express$/,
      /^websites +none$/,
      /^nonMailing +yes$/,
      /^activities +sbiCode 10711, description Vervaardiging van brood, isMain yes$/,
    ]) {
      expect(out).toContainEqual(expect.stringMatching(line));
    }
    expect((await run("branches", "50000001")).out).toEqual([
      "000000000001  Korenaar  Dorpsstraat 1, 1234 AB Ons Dorp  main branch",
    ]);
  });

  it("prints one JSON document with --json", async () => {
    const { run, add } = terminal();
    await add(company);
    const { out } = await run("branches", "50000001", "--json");
    expect(out).toHaveLength(1);
    expect(JSON.parse(out.join(""))).toMatchObject({ kvkNumber: "50000001", branches: [{ isMain: true }] });
  });

  it("distinguishes wrong usage, an unknown company, and unknown branches", async () => {
    const { run, add } = terminal();
    expect(await run("lookup", "50000001")).toMatchObject(endedWith(1, "There is no registry"));
    await add(sourcedFacts(1));
    expect(await run("lookup", "123")).toMatchObject(
      endedWith(2, 'A KVK number is exactly 8 digits; got "123".'),
    );
    expect(await run("lookup", "50000009")).toMatchObject(
      endedWith(1, "The registry has no company with number 50000009."),
    );
    expect(await run("branches", "50000001")).toMatchObject(
      endedWith(1, "The data from demo does not contain the branches of 50000001."),
    );
  });
});
