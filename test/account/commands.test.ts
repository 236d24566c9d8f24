/** The CLI commands for accounts, run next to a live service. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/accounts/stored.ts";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { PASSWORD } from "../kit/browser.ts";
import { ask } from "../kit/client.ts";
import { opzoek } from "../kit/opzoek.ts";
import type { ProgramResult } from "../kit/program.ts";
import { type Service, startService } from "../kit/service.ts";
import { makeWorld, type World } from "../kit/world.ts";

const NEW_PASSWORD = "een heel ander woord";
let world: World;
let service: Service;
beforeAll(async () => {
  world = await makeWorld();
  service = await startService(world);
});

const run = (...words: string[]): Promise<ProgramResult> => opzoek(words, world.environment);
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(service, {
    method: "POST",
    path,
    body,
    headers: { host: new URL(service.address).host, origin: service.address, ...headers },
  });
const tokenOf = ({ out }: ProgramResult) => /=([A-Za-z0-9_-]{43})$/.exec(out.trim())?.[1] ?? "";

async function accountOf(email: string): Promise<Account | undefined> {
  const all = JSON.parse((await run("account", "list", "--json")).out) as Account[];
  return all.find((account) => account.email === email);
}

describe("opzoek account", () => {
  it("logs each change and its author to stderr, without addresses", async () => {
    const email = "changed@fabel.example";
    const { out } = await run("account", "create", "--email", email, "--tier", "free");
    const id = out.trim();
    const { code, err } = await run("account", "tier", id, "pro");
    const [line = ""] = err.split("\n").filter((text) => text.startsWith("{"));
    expect(code, err).toBe(0);
    expect(JSON.parse(line)).toMatchObject({
      by: expect.stringMatching(/^terminal/),
      accountId: id,
      what: "tier",
      from: "free",
      to: "pro",
      msg: "an account was changed",
    });
    expect(err).not.toContain(email);
  });

  it("audit lists changes and their authors, newest first, for one account, for all, and for a deleted one", async () => {
    const email = "audited@fabel.example";
    const id = (await run("account", "create", "--email", email, "--tier", "free")).out.trim();
    await run("account", "tier", id, "starter");
    await run("account", "tier", id, "starter");
    await run("account", "delete", id);
    const { code, out } = await run("account", "audit", "--account", id);
    expect(code).toBe(0);
    expect(out).not.toContain(email);
    const lines = out.trimEnd().split("\n");
    const changes = lines.map((line) => /^20\d\d-\d\d-\d\dT[0-9:.]+Z {2}(terminal.*)$/.exec(line)?.[1]);
    expect(changes).toEqual([
      expect.stringMatching(/^terminal\S* {2}deleted/),
      expect.stringMatching(new RegExp(`^terminal\\S*  tier  ${id}  free → starter$`)),
      expect.stringMatching(new RegExp(`^terminal\\S*  created  ${id}`)),
    ]);
    const all: unknown[] = JSON.parse((await run("account", "audit", "--json")).out);
    const ofIt: unknown[] = JSON.parse((await run("account", "audit", "--account", id, "--json")).out);
    expect(ofIt).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining(ofIt));
    expect((await run("account", "audit", "--account", "acc_none")).out).toBe("");
  });

  it("invite prints a link once, with which one person can sign up", async () => {
    const email = "invited@fabel.example";
    const made = await run("account", "invite", "--email", email, "--tier", "starter");
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("It works once") });
    expect(made.out).toMatch(/^\/#invite=[A-Za-z0-9_-]{43}\n$/);
    const signUp = (invite: string | undefined) =>
      post("/account/sign-up", { email, password: PASSWORD, invite });
    expect((await signUp(undefined)).status).toBe(403);
    expect((await signUp(tokenOf(made))).status).toBe(202);
    expect(await accountOf(email)).toMatchObject({ tierName: "starter" });
    const json = await opzoek(["account", "invite", "--json"], {
      ...world.environment,
      PUBLIC_URL: "https://registry.fabel.example",
    });
    expect(JSON.parse(json.out)).toMatchObject({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expiresAt: expect.stringMatching(/Z$/),
      link: expect.stringMatching(/^https:\/\/registry\.fabel\.example\/#invite=/),
    });
    expect(await run("account", "invite", "--tier", "gold")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the tiers are"),
    });
    expect(await run("account", "invite", "--email", "nobody")).toMatchObject({
      code: 1,
      err: expect.stringContaining("not an accepted email address"),
    });
  });

  it("reset-password prints a link once, even for an account that never had a password", async () => {
    const email = "forgot@fabel.example";
    const id = (await run("account", "create", "--email", email, "--tier", "free")).out.trim();
    const link = await run("account", "reset-password", id);
    expect(link.out).toMatch(/^\/#reset=[A-Za-z0-9_-]{43}\n$/);
    const reset = () => post("/account/password/reset", { token: tokenOf(link), password: NEW_PASSWORD });
    expect((await reset()).status).toBe(204);
    expect((await reset()).status).toBe(403);
    const signedIn = await post("/account/sign-in", { email, password: NEW_PASSWORD });
    expect(jsonOf(signedIn)).toMatchObject({ person: { accountId: id } });
    expect(await run("account", "reset-password", "acc_nobody")).toMatchObject({
      code: 1,
      err: expect.stringContaining("account list"),
    });
  });

  it("admin grants and revokes operator access; plan-requests lists open requests; delete removes everything", async () => {
    const email = "boss@fabel.example";
    const id = (await run("account", "create", "--email", email, "--tier", "free")).out.trim();
    const link = await run("account", "reset-password", id, "--json");
    const { token } = JSON.parse(link.out) as { token: string };
    await post("/account/password/reset", { token, password: NEW_PASSWORD });
    const signedIn = await post("/account/sign-in", { email, password: NEW_PASSWORD });
    const cookie = signedIn.headers["set-cookie"]?.split(";")[0] ?? "";
    const views = () => ask(service, { path: "/account/admin/traffic", headers: { cookie } });
    expect((await views()).status).toBe(403);
    expect((await run("account", "admin", id)).code).toBe(0);
    expect((await views()).status).toBe(200);
    expect(JSON.parse((await run("account", "admin", id, "--off", "--json")).out)).toEqual({
      id,
      isAdmin: false,
    });
    expect((await views()).status).toBe(403);

    expect((await post("/account/plans/request", { tier: "pro" }, { cookie })).status).toBe(200);
    expect((await run("account", "plan-requests")).out).toContain(`free → pro  ${email}`);
    expect(JSON.parse((await run("account", "plan-requests", "--json")).out)).toMatchObject([
      { id, asked: "pro" },
    ]);
    await run("account", "tier", id, "pro");
    expect(JSON.parse((await run("account", "plan-requests", "--json")).out)).toEqual([]);

    expect(JSON.parse((await run("account", "delete", id, "--json")).out)).toEqual({ id, isDeleted: true });
    expect((await ask(service, { path: "/account/keys", headers: { cookie } })).status).toBe(401);
    expect(await accountOf(email)).toBeUndefined();
    for (const words of [
      ["admin", id],
      ["delete", id],
    ]) {
      expect(await run("account", ...words)).toMatchObject({
        code: 1,
        err: expect.stringContaining("no account"),
      });
    }
  });

  it("suspensions lists the retained suspensions of deleted accounts by date, create reports them, and resume --email ends one", async () => {
    const email = "gone@fabel.example";
    const create = () => run("account", "create", "--email", email, "--tier", "free");
    const id = (await create()).out.trim();
    await run("account", "suspend", id);
    expect((await run("account", "list")).out).toMatch(
      new RegExp(`${email}  suspended since 20\\d\\d-\\d\\d-\\d\\dT`),
    );
    await run("account", "delete", id);
    const suspensions = JSON.parse((await run("account", "suspensions", "--json")).out);
    expect(suspensions).toEqual([{ suspendedAt: expect.any(String), keptUntil: expect.any(String) }]);
    const { out } = await run("account", "suspensions");
    expect(out).toBe(`suspended ${suspensions[0].suspendedAt}  stored until ${suspensions[0].keptUntil}\n`);
    expect(await create()).toMatchObject({
      code: 0,
      err: expect.stringContaining("It is suspended since 20"),
    });
    expect(await accountOf(email)).toMatchObject({
      isSuspended: true,
      suspendedAt: suspensions[0].suspendedAt,
    });
    expect(await run("account", "resume", "--email", email)).toMatchObject({ code: 0 });
    expect(await accountOf(email)).toMatchObject({ isSuspended: false });
    expect(await run("account", "resume", "--email", email)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not suspended"),
    });
    for (const words of [[], [id, "--email", email]])
      expect((await run("account", "resume", ...words)).code).toBe(2);
  });
});
