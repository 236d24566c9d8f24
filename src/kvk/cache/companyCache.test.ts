import { expect, it } from "vitest";
import { cachedCompany } from "./companyCache.ts";

const stored = (city: string) => {
  const address = { city, country: "NL", isShielded: true };
  const facts = JSON.stringify({ address: { ...address, kind: "visiting" } });
  const branches = JSON.stringify([{ branchNumber: "000050000012", address }]);
  return cachedCompany({ facts, branches, answeredAtMs: 0, branchesAtMs: 0 });
};

it.each(["Jan Zwaan", "Zwaan Rommeldam", "Rommeldam.Zwaan"])(
  "an answer that an earlier version stored shows no city that may be more: %s",
  (text) => {
    const { facts, branches } = stored(text);
    expect(facts?.address).toEqual({ country: "NL", isShielded: true, kind: "visiting" });
    expect(branches?.[0]?.address).toEqual({ country: "NL", isShielded: true });
  },
);

it.each(["Rommeldam", "De Zwaan", "Wijk bij Duurstede", "Bergen (NH)"])("the city %s stays", (city) => {
  const { facts, branches } = stored(city);
  expect([facts?.address?.city, branches?.[0]?.address?.city]).toEqual([city, city]);
});
