/** The CLI commands for keys, run next to a live service that applies the changes. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Key } from "../../src/accounts/stored.ts";
import { isWellFormedKey } from "../../src/contract/keyForm.ts";
import { inject, messageOf } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import type { ProgramResult } from "../kit/program.ts";
import { makeWorld, type World } from "../kit/world.ts";

let world: World;
let service: InProcess;
beforeAll(async () => {
  world = await makeWorld();
  service = await composeInProcess(world, { nowMs: Date.now() });
});

const run = (...words: string[]): Promise<ProgramResult> => opzoek(words, world.environment);

describe("opzoek key", () => {
  const DAY_MS = 86_400_000;
  /** A date some days ahead, and the moment at which that day ends. */
  const dayAhead = (days: number) => {
    const day = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    return { day, isOver: new Date(Date.parse(day) + DAY_MS).toISOString() };
  };
  let count = 0;
  const newAccount = async () =>
    (await run("account", "create", "--email", `keys-${++count}@fabel.example`, "--tier", "free")).out.trim();
  const create = (account: string, ...words: string[]) =>
    run("key", "create", "--account", account, "--name", "web shop", ...words);
  const listed = async (account: string): Promise<readonly Key[]> =>
    JSON.parse((await run("key", "list", "--account", account, "--json")).out) as Key[];
  const idIn = ({ err }: ProgramResult) => /^(key_[0-9A-Za-z]+): save this key/m.exec(err)?.[1] ?? "";
  const lookUp = (key: string) => inject(service.app, { path: `/v1/lookup/${BAKERY}`, key });

  it("create and list find the account by its email address, in any case", async () => {
    const account = await newAccount();
    expect((await create(`KEYS-${count}@fabel.example`)).code).toBe(0);
    expect(await listed(`keys-${count}@fabel.example`)).toHaveLength(1);
    expect(await listed(account)).toHaveLength(1);
    const unknown = await create("nobody@fabel.example");
    expect([unknown.code, unknown.out, unknown.err]).toEqual([
      1,
      "",
      expect.stringContaining("nobody@fabel.example"),
    ]);
  });

  it("create prints the key once, with no other output, and restricts it by expiry and addresses", async () => {
    const account = await newAccount();
    const { day, isOver } = dayAhead(30);
    const made = await create(
      ...[account, "--kind", "test", "--expires", day, "--allow", "192.0.2.0/24, 2001:DB8::/32"],
    );
    expect(made.code, made.err).toBe(0);
    const key = made.out.trim();
    expect(made.out).toBe(`${key}\n`);
    expect(isWellFormedKey(key)).toBe(true);
    expect(key).toMatch(/^opz_test_/);
    expect(made.err).not.toContain(key);
    const bounds = { expiresAt: isOver, addresses: ["192.0.2.0/24", "2001:db8::/32"] };
    expect(await listed(account)).toEqual([expect.objectContaining({ name: "web shop", ...bounds })]);
    const { out } = await run("key", "list", "--account", account);
    const parts = out.trim().split("  ");
    expect([parts[0], parts[2], ...parts.slice(4)]).toEqual([
      idIn(made),
      "test",
      `live until ${isOver}`,
      "never used",
      "from 192.0.2.0/24,2001:db8::/32",
      "web shop",
    ]);
    expect(out).not.toContain(key);

    const plain = await create(account, "--expires", "never", "--allow", "anywhere");
    const [found] = (await listed(account)).filter(({ id }) => id === idIn(plain));
    expect(found).toMatchObject({ name: "web shop" });
    for (const bound of ["expiresAt", "addresses"]) expect(found).not.toHaveProperty(bound);
  });

  it("create makes a browser key for the given pages, and change updates what it may do there", async () => {
    const account = await newAccount();
    const made = await create(
      ...[
        account,
        "--kind",
        "pub",
        "--origin",
        "https://Shop.example/",
        "--origin",
        "*.fabel.example",
        "--lookup",
      ],
    );
    expect([made.code, made.out.trim().slice(0, 8)], made.err).toEqual([0, "opz_pub_"]);
    const found = async () => (await listed(account)).find(({ id }) => id === idIn(made));
    const origins = ["https://shop.example", "https://*.fabel.example"];
    expect(await found()).toMatchObject({
      kind: "pub",
      browser: { origins, mayLookUp: true, dailyTokens: 500 },
    });
    const change = ["key", "change", idIn(made), "--daily-tokens", "50", "--no-lookup"];
    expect((await run(...change)).code).toBe(0);
    expect(await found()).toMatchObject({ browser: { origins, mayLookUp: false, dailyTokens: 50 } });
    expect((await run("key", "list", "--account", account)).out).toContain(
      "for https://shop.example,https://*.fabel.example, 50 tokens per day",
    );
    const plain = await create(account);
    for (const [words, says] of [
      [["key", "change", idIn(plain), "--daily-tokens", "50"], "no live browser key"],
      [
        ["key", "change", idIn(made), "--origin", "https://shop.example/path"],
        "is not the origin of a web page",
      ],
      [["key", "change", idIn(made), "--daily-tokens", "many"], "a whole number from 1"],
      [
        ["key", "create", "--account", account, "--name", "x", "--kind", "pub"],
        "needs the origins of the pages",
      ],
      [["key", "create", "--account", account, "--name", "x", "--lookup"], "create a key of kind pub"],
    ] as const) {
      const refused = await run(...words);
      expect([refused.code, refused.err], words.join(" ")).toEqual([1, expect.stringContaining(says)]);
    }
  });

  it("change sets name, expiry or addresses independently, and a running service applies it", async () => {
    const account = await newAccount();
    const { day, isOver } = dayAhead(30);
    const made = await create(account, "--expires", day, "--allow", "192.0.2.7");
    const [id, key] = [idIn(made), made.out.trim()];
    const change = (...words: string[]) => run("key", "change", id, ...words);
    const found = async () => (await listed(account)).find((one) => one.id === id);
    const refused = await lookUp(key);
    expectError(refused, "FORBIDDEN");
    expect(messageOf(refused)).toContain("127.0.0.1");

    expect(await change("--allow", "127.0.0.0/8,192.0.2.7")).toMatchObject({ code: 0, out: "" });
    expect((await lookUp(key)).status).toBe(200);
    expect(await found()).toMatchObject({ name: "web shop", expiresAt: isOver });
    expect((await change("--name", "  kassa ")).code).toBe(0);
    expect(await found()).toMatchObject({ name: "kassa", addresses: ["127.0.0.0/8", "192.0.2.7"] });
    const moment = new Date(Date.now() + 3_600_000).toISOString();
    expect((await change("--expires", moment)).code).toBe(0);
    expect(await found()).toMatchObject({ name: "kassa", expiresAt: moment });
    expect((await change("--expires", "never", "--allow", "anywhere")).err).toContain(`${id} was changed`);
    const unbound = await found();
    expect(unbound).toMatchObject({ name: "kassa" });
    for (const bound of ["expiresAt", "addresses"]) expect(unbound).not.toHaveProperty(bound);
    expect((await lookUp(key)).status).toBe(200);

    expect((await run("key", "revoke", id)).code).toBe(0);
    expectError(await lookUp(key), "UNAUTHORIZED");
    expect(await change("--name", "te laat")).toMatchObject({ code: 1, out: "" });
    expect((await run("key", "list", "--account", account)).out).toMatch(/ {2}revoked 20\d\d-.* {2}kassa\n$/);
  });

  it("rejects invalid restrictions, explains the valid ones, and creates or changes nothing", async () => {
    const account = await newAccount();
    const id = idIn(await create(account));
    const before = await listed(account);
    const tooMany = Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`).join(",");
    for (const [words, message] of [
      [["--expires", "31-12-2030"], "such as 2027-06-30"],
      [["--expires", "2030-02-30"], "such as 2027-06-30"],
      [["--expires", ""], "such as 2027-06-30"],
      [["--expires", dayAhead(-1).day], "to end a key now, revoke it"],
      [["--expires", dayAhead(4_000).day], "at most 10 years"],
      [["--allow", "192.0.2.0/33"], "is not an IP address or network"],
      [["--allow", "shop.fabel.example"], "is not an IP address or network"],
      [["--allow", "192.0.2.7,,192.0.2.8"], "is not an IP address or network"],
      [["--allow", ""], "is not an IP address or network"],
      [["--allow", tooMany], "at most 20 addresses and networks"],
      [["--name", " "], "must have 1 to 100 characters"],
      [["--name", "a\u001b[2Jb"], "must have 1 to 100 characters"],
    ] as const) {
      for (const command of [
        ["create", "--account", account, "--name", "web shop"],
        ["change", id],
      ]) {
        const refused = await run("key", ...command, ...words);
        expect([words, refused]).toEqual([
          words,
          { code: 1, out: "", err: expect.stringContaining(message) },
        ]);
      }
    }
    for (const wrongUse of [
      ["change", id],
      ["create", "--account", account],
      ["create", "--account", account, "--name", "x", "--kind", "gold"],
      ["list"],
    ]) {
      expect([wrongUse, (await run("key", ...wrongUse)).code]).toEqual([wrongUse, 2]);
    }
    for (const ofNobody of [
      ["change", "key_none", "--name", "x"],
      ["revoke", "key_none"],
      ["create", "--account", "acc_none", "--name", "x"],
      ["list", "--account", "acc_none"],
    ]) {
      expect([ofNobody, (await run("key", ...ofNobody)).code]).toEqual([ofNobody, 1]);
    }
    expect(await listed(account)).toEqual(before);
  });
});
