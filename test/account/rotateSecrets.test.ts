/**
 * `opzoek account rotate-secrets`, while a service runs: afterwards the earlier key is no longer needed, on either
 * store.
 */
import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TwoFactorSecret } from "../../src/contract/twoFactorResources.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { Device } from "../kit/device.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { storedTexts } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld, type World } from "../kit/world.ts";

const PEOPLE = ["one@fabel.example", "two@fabel.example", "three@fabel.example"];
const newKey = () => randomBytes(32).toString("base64");
const OLD = newKey();

const STORES = [
  // Its first key is the file in DATA_DIR.
  ["embedded", async () => ({}), []],
  [
    "postgres",
    async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("rotate"), TWO_FACTOR_KEY: OLD }),
    [OLD],
  ],
] as const;

/** The same state with other keys. */
const withKeys = (world: World, ...keys: readonly string[]): World => ({
  ...world,
  environment: { ...world.environment, TWO_FACTOR_KEY: keys.join(",") },
});

describe.each(variants(STORES, { ordinary: 1 }))("on the %s store", (store, environment, oldKeys) => {
  const rotated = async (world: World) => {
    const { code, out, err } = await opzoek(["account", "rotate-secrets", "--json"], world.environment);
    return { code, err, ...(JSON.parse(out) as object) };
  };

  it("two-factor secrets move to the first key, and sign-in works with each set of keys", async () => {
    const world = await makeWorld({
      companies: [],
      environment: { SIGNUP: "open", ...BEHIND_PROXY, ...(await environment()) },
    });
    const first = await composeInProcess(world);
    const devices = new Map<string, Device>();
    for (const email of PEOPLE) {
      const visitor = new Browser(first.app, { origin: PUBLIC });
      await visitor.enter(email);
      const path = "/account/two-factor/begin";
      const { secret } = await visitor.post<TwoFactorSecret>(path, { password: PASSWORD });
      const device = new Device(secret);
      devices.set(email, device);
      await visitor.post("/account/two-factor/turn-on", { code: device.code(NOON) });
    }
    await first.close();
    let steps = 0;
    /** Signs everyone in with the next code. */
    const signIn = async (running: World) => {
      steps += 1;
      const service = await composeInProcess(running, { nowMs: NOON + steps * 30_000 });
      const statuses: number[] = [];
      for (const [email, device] of devices) {
        const body = { email, password: PASSWORD, code: device.code(NOON, steps) };
        const browser = new Browser(service.app, { origin: PUBLIC });
        statuses.push((await browser.ask("POST", "/account/sign-in", body)).status);
      }
      return { service, statuses };
    };
    const [key, all] = [newKey(), [200, 200, 200]];
    const both = withKeys(world, key, ...oldKeys);

    const during = await signIn(both);
    expect(during.statuses).toEqual(all);
    const sealed = () => storedTexts(world, "select sealed from two_factors order by account_id");
    const before = await sealed();
    expect(await rotated(both)).toEqual({ code: 0, err: "", reencrypted: 3, unreadable: 0 });
    await during.service.close();
    const after = await sealed();
    expect(after.filter((text) => before.includes(text))).toEqual([]);
    expect(new Set(after.map((text) => text.split(".")[1])).size).toBe(1);

    expect(await rotated(both)).toEqual({ code: 0, err: "", reencrypted: 0, unreadable: 0 });
    expect(await sealed()).toEqual(after);

    if (store === "embedded") {
      const file = join(world.dataDir, "two-factor.key");
      renameSync(file, `${file}.away`);
    }
    const alone = await signIn(withKeys(world, key));
    expect(alone.statuses).toEqual(all);
    await alone.service.close();

    const lost = await opzoek(["account", "rotate-secrets"], withKeys(world, newKey(), newKey()).environment);
    expect(lost).toMatchObject({ code: 1, out: "", err: expect.stringContaining("3 secrets cannot be") });
    expect(await sealed()).toEqual(after);
  });
});
