/** Accounts with tiers missing from the settings: a start fails explicitly instead of leaving them without tokens. */
import { expect, it } from "vitest";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { BEHIND_PROXY, Browser, PUBLIC } from "../kit/browser.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld } from "../kit/world.ts";

const TIERS = { school: { monthlyTokens: 500, ratePerMinute: 30 } };
const NAMED = /TIERS_FILE lacks .*"school" \(2 accounts\), "plenty" \(1 account\)/;

const server = await sharedPostgres();

it.each(variants(["embedded", "two workers on PostgreSQL"], { ordinary: 1 }))(
  "serve refuses to start and names them, unless allowed; other commands report them and continue: %s",
  async (store) => {
    const shared = { DATABASE_URL: await server.database("tiers"), WORKERS: "2" };
    const world = await makeWorld({ tiers: TIERS, ...(store !== "embedded" && { environment: shared }) });
    const { id, key } = await world.account("school");
    await world.account("school");
    await world.account("plenty");
    const without = { ...world.environment, TIERS_FILE: "" };

    const refused = await spawnOpzoek(["serve"], without);
    expect(refused.code).toBe(1);
    expect(refused.out).not.toContain("listening");
    expect(refused.err.trim().split("\n")).toEqual([expect.stringMatching(NAMED)]);
    expect(refused.err).toContain("--allow-unknown-tiers");

    const listed = await opzoek(["account", "list", "--json"], without);
    expect([listed.code, listed.err]).toEqual([0, expect.stringMatching(NAMED)]);
    expect(JSON.parse(listed.out)).toHaveLength(3);
    const used = await opzoek(["usage", id], without);
    expect([used.code, used.err]).toEqual([0, expect.stringMatching(NAMED)]);
    const known = await opzoek(["key", "list", "--account", id], world.environment);
    expect([known.code, known.err]).toEqual([0, ""]);

    const service = await startService({ environment: without }, ["serve", "--allow-unknown-tiers"]);
    expectError(await ask(service, { path: `/v1/lookup/${BAKERY}`, key }), "QUOTA_EXCEEDED");
    const warned = service.log().filter(({ msg }) => String(msg).includes("missing from TIERS_FILE"));
    expect(warned[0]).toMatchObject({
      level: 40,
      unknown: [
        { tierName: "school", accounts: 2 },
        { tierName: "plenty", accounts: 1 },
      ],
    });
    expect(await service.end("SIGTERM")).toBe(0);
  },
);

it("the account page still works with an unknown tier", async () => {
  const service = await composeInProcess(
    await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } }),
  );
  const browser = new Browser(service.app, { origin: PUBLIC });
  await browser.enter("school@fabel.example");
  const { person } = await browser.get<{ person: { accountId: string } }>("/account/session");
  // Like a command whose TIERS_FILE has it.
  await service.state.accounts.setTier(person.accountId, "school");
  await service.accounts.setAdmin(person.accountId, true);
  for (const path of [
    "/account/session",
    "/account/plans",
    "/account/keys",
    "/account/usage",
    "/account/usage/months",
    "/account/admin/accounts",
    "/account/admin/plan-requests",
    "/account/admin/traffic",
    "/account/sessions",
  ]) {
    const answer: Answer = await browser.ask("GET", path);
    expect([path, answer.status]).toEqual([path, 200]);
  }
  expect(jsonOf(await browser.ask("GET", "/account/usage"))).toMatchObject({ limit: 0, remaining: 0 });
});
