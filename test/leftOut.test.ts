/** Optional values that are sent empty, and paths with a slash at their end. */
import { beforeAll, describe, expect, it } from "vitest";
import { messageOf } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectError } from "./kit/contractAnswer.ts";
import { type Served, serveHere } from "./kit/serveHere.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

let service: Served;
let account: TestAccount;
beforeAll(async () => {
  const world = await makeWorld();
  account = await world.account("plenty");
  service = await serveHere(world);
});

const get = (path: string) => ask(service, { path, key: account.key });

describe("null or an empty text for an optional value", () => {
  it.each<readonly [string, object]>([
    ["/v1/lookup/batch", { kvkNumbers: [BAKERY], enrich: null }],
    ["/v1/lookup/batch", { kvkNumbers: [BAKERY], enrich: "" }],
    ["/v1/match", { queries: [{ id: "", name: "Fabelkorst", kvkNumber: null }], limit: null, isActive: " " }],
    ["/v1/tokens", { origin: "https://shop.example", session: "typed-once-000000001", minutes: "" }],
  ])("counts as absent in %s %j", async (path, body) => {
    const answer = await ask(service, { method: "POST", path, key: account.key, body });
    expect([answer.status, answer.text.includes('"error"')]).toEqual([200, false]);
  });
});

describe("ROUTE_NOT_FOUND", () => {
  it.each(["/mcp/", "/v1/reconcile/", "/v1/match/", "/v1/usage/?apikey=x"])(
    "is returned for %s, with the advice to leave out the slash",
    async (path) => {
      const answer = await ask(service, { method: "POST", path, key: account.key });
      expectError(answer, "ROUTE_NOT_FOUND");
      expect(messageOf(answer)).toContain("leave out the slash at the end of the path");
      expect(messageOf(await get(path.replace("/?", "x?").replace(/\/$/, "x")))).not.toContain("slash");
    },
  );
});
