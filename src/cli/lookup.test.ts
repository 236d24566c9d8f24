import { describe, expect, it } from "vitest";
import { sourcedFacts } from "../../test/kit/registry.ts";
import { terminal } from "../../test/kit/terminal.ts";
import { CommandFailure, WrongUse } from "./command.ts";
import { addLookupCommand } from "./lookup.ts";

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
  it("shows a company, a line for each thing that is known", async () => {
    const { run, add } = terminal(addLookupCommand);
    await add(company);
    expect((await run("lookup", "50000001")).out).toEqual([
      "kvkNumber  50000001",
      "name       Korenaar B.V.",
      "isActive   yes",
      "address    Dorpsstraat 1, 1234 AB Ons Dorp, NL",
      "source     demo, data of 2026-01-01T00:00:00.000Z",
    ]);
    const { out } = await run("lookup", "50000001", "--enrich", "--branches");
    for (const line of [
      /^tradingNames +Korenaar; Banket Express$/,
      /^websites +none$/,
      /^nonMailing +yes$/,
      /^activities +10711 Vervaardiging van brood yes$/,
      /^branch 000000000001 +Korenaar; Dorpsstraat 1, 1234 AB Ons Dorp; main branch$/,
    ]) {
      expect(out).toContainEqual(expect.stringMatching(line));
    }
  });

  it("prints one JSON document when asked to", async () => {
    const { run, add } = terminal(addLookupCommand);
    await add(company);
    const { out } = await run("lookup", "50000001", "--branches", "--json");
    expect(out).toHaveLength(1);
    expect(JSON.parse(out.join(""))).toMatchObject({ kvkNumber: "50000001", branches: [{ isMain: true }] });
  });

  it("tells wrong use from a company that is not there, and from branches that nobody knows", async () => {
    const { run, add } = terminal(addLookupCommand);
    await expect(run("lookup", "50000001")).rejects.toThrow(CommandFailure);
    await add(sourcedFacts(1));
    await expect(run("lookup", "123")).rejects.toThrow(
      new WrongUse('A KVK number is exactly 8 digits; got "123".'),
    );
    await expect(run("lookup", "50000009")).rejects.toThrow(
      new CommandFailure("The registry holds no company with number 50000009."),
    );
    await expect(run("lookup", "50000001", "--branches")).rejects.toThrow(
      new CommandFailure("What demo gave does not say which branches 50000001 has."),
    );
  });
});
