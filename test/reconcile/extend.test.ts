/** Data extension: values and prices. */
import { beforeAll, describe, expect, it } from "vitest";
import { jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { BAKERY, FROM_GLEIF, NO_ADDRESS, SHIELDED, UNKNOWN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import type { TestAccount } from "../kit/world.ts";
import { post, serve } from "./reconciling.ts";

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  service = await serve({ environment: { VIES_URL: vies.url } });
  account = await service.account("plenty");
});

describe("data extension", () => {
  const ask = (ids: unknown, ...properties: readonly string[]) =>
    post(service, account.key, { extend: { ids, properties: properties.map((id) => ({ id })) } });
  const rowsOf = async (answer: ReturnType<typeof ask>) =>
    (jsonOf(await answer) as { rows: Readonly<Record<string, Readonly<Record<string, unknown[]>>>> }).rows;

  it("with basic properties costs 1 token for each company delivered", async () => {
    const answer = await ask(
      [BAKERY, NO_ADDRESS, UNKNOWN, "x", BAKERY],
      "street",
      "isActive",
      "registrationDate",
    );
    expect(jsonOf(answer)).toEqual({
      meta: [
        { id: "street", name: "Street" },
        { id: "isActive", name: "Active" },
        { id: "registrationDate", name: "Registration date" },
      ],
      rows: {
        [BAKERY]: {
          street: [{ str: "Sprookjeslaan" }],
          isActive: [{ str: "true" }],
          registrationDate: [{ date: "2011-03-14T00:00:00Z" }],
        },
        [NO_ADDRESS]: { street: [], isActive: [{ str: "true" }], registrationDate: [] },
        [UNKNOWN]: { street: [], isActive: [], registrationDate: [] },
        x: { street: [], isActive: [], registrationDate: [] },
      },
    });
    expect(numberIn(answer, "x-tokens-charged")).toBe(2);
  });

  it("with an enriched property costs the price of an enriched lookup for each company", async () => {
    const answer = await ask([BAKERY, FROM_GLEIF], "legalForm", "sbiCode", "vatNumber", "vatValid", "city");
    expect((await rowsOf(Promise.resolve(answer)))[BAKERY]).toEqual({
      legalForm: [{ str: "besloten vennootschap" }],
      sbiCode: [{ str: "10711" }, { str: "0113" }],
      vatNumber: [{ str: "NL123456782B01" }],
      vatValid: [{ str: "true" }],
      city: [{ str: "Verzinstad" }],
    });
    // The second has neither activities nor a VAT number.
    expect(numberIn(answer, "x-tokens-charged")).toBe(5 + 1);
  });

  it("shows only the city of a shielded address", async () => {
    for (const more of [[], ["legalForm"]]) {
      const rows = await rowsOf(ask([SHIELDED], "street", "houseNumber", "postalCode", "city", ...more));
      expect(rows[SHIELDED]).toMatchObject({
        street: [],
        houseNumber: [],
        postalCode: [],
        city: [{ str: "Stilledorp" }],
      });
    }
  });

  it.each<[string, unknown, string]>([
    ["an unknown property", { ids: [BAKERY], properties: [{ id: "phone" }] }, 'unknown property "phone"'],
    [
      "too many ids",
      { ids: Array.from({ length: 101 }, (_, id) => String(id)), properties: [] },
      "at most 100 ids",
    ],
    ["ids that are not texts", { ids: [1], properties: [] }, "array of strings"],
    ["no properties", { ids: [] }, "extend.properties"],
    ["a property without id", { ids: [], properties: [null] }, "objects with id"],
  ])("is 400 for %s", async (_, extend, message) => {
    const answer = await post(service, account.key, { extend });
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain(message);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });
});
