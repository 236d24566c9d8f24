/** The client's address, as proxies and clouds write it, counts for every limit and every restriction. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "./kit/answer.ts";
import { inject, messageOf } from "./kit/answer.ts";
import { BEHIND_PROXY, Browser, PUBLIC } from "./kit/browser.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld } from "./kit/world.ts";

const LOOKUP = `/v1/lookup/${BAKERY}`;
const SHOP = "https://shop.example";
const KEYLESS_PER_MINUTE = 60;
const KEYED_PER_MINUTE = 30;
const SIGN_INS_PER_ADDRESS = 30;

let service: InProcess;
beforeAll(async () => {
  const environment = { ...BEHIND_PROXY, KEYLESS_PER_MINUTE: `${KEYLESS_PER_MINUTE}`, SIGNUP: "open" };
  service = await composeInProcess(await makeWorld({ environment }));
});

/** How headers write call `n` of the client `host`, a number from 1 to 254. */
const WRITTEN: Readonly<Record<string, (host: number, n: number) => Record<string, string>>> = {
  "an IPv4 address": (host) => ({ "x-forwarded-for": `192.0.2.${host}` }),
  "an IPv4 address with a port": (host, n) => ({ "x-forwarded-for": `192.0.2.${host}:${1_024 + n}` }),
  "an IPv4 address over IPv6": (host, n) => ({ "x-forwarded-for": `[::ffff:192.0.2.${host}]:${1_024 + n}` }),
  "an IPv6 address with a port": (host, n) => ({
    "x-forwarded-for": `[2001:db8:0:${host}::${n}]:${1_024 + n}`,
  }),
  "Forwarded with an IPv4 address": (host, n) => ({
    forwarded: `by=127.0.0.1;for="192.0.2.${host}:${1_024 + n}";proto=https`,
  }),
  "Forwarded with an IPv6 address": (host, n) => ({
    forwarded: `For="[2001:db8:0:${host}::${n}]:${1_024 + n}"`,
  }),
  "a list that ends at another trusted proxy": (host, n) => ({
    "x-forwarded-for": `198.51.100.${n % 250}, 192.0.2.${host}:${1_024 + n}, 127.0.0.1:${1_024 + n}`,
  }),
};

let hosts = 0;

/** Calls until one is refused, at most three times as often as the limit allows, because a minute may end meanwhile. */
async function untilRefused(
  limit: number,
  call: (n: number) => Promise<Answer>,
): Promise<number | undefined> {
  for (let n = 0; n < 3 * limit; n++) if ((await call(n)).status === 429) return n;
  return undefined;
}

describe.each(Object.entries(WRITTEN))("%s", (_name, write) => {
  it("counts towards the limit of calls without a valid key, and no other address does", async () => {
    const host = ++hosts;
    const call = (n: number, of = host) =>
      inject(service.app, { path: "/v1/usage", key: "opz_live_wrong", headers: write(of, n) });
    expect(await untilRefused(KEYLESS_PER_MINUTE, call)).toBeGreaterThanOrEqual(KEYLESS_PER_MINUTE);
    expect((await call(1, ++hosts)).status).toBe(401);
  });

  it("counts towards the limit of a browser key, and no other address does", async () => {
    const host = ++hosts;
    const { id } = await service.account("plenty");
    const { key } = await service.accounts.createKey(id, "page", "pub", { origins: [SHOP] });
    const call = (n: number, of = host) =>
      inject(service.app, {
        path: "/v1/autocomplete?q=bakkerij",
        key,
        headers: { origin: SHOP, ...write(of, n) },
      });
    expect(await untilRefused(KEYED_PER_MINUTE, call)).toBeGreaterThanOrEqual(KEYED_PER_MINUTE);
    expect((await call(1, ++hosts)).status).toBe(200);
  });

  it("counts towards the limit of wrong passwords, and no other address does", async () => {
    const host = ++hosts;
    const browser = new Browser(service.app, { origin: PUBLIC });
    const call = (n: number, of = host) => {
      const { "x-forwarded-for": _own, ...headers } = browser.headers("POST");
      return inject(service.app, {
        method: "POST",
        path: "/account/sign-in",
        body: { email: `nobody-${of}-${n}@fabel.example`, password: "niet het wachtwoord" },
        headers: { ...headers, ...write(of, n) },
      });
    };
    const refusedAt = await untilRefused(SIGN_INS_PER_ADDRESS, call);
    expect(refusedAt).toBe(SIGN_INS_PER_ADDRESS);
    expect((await call(1, ++hosts)).status).toBe(401);
  });

  it("is compared with the addresses of a key", async () => {
    const { id } = await service.account("plenty");
    const addresses = ["192.0.2.7", "2001:db8:0:7::/64"];
    const { key } = await service.accounts.createKey(id, "server", "live", { addresses });
    for (const n of [1, 2]) {
      const call = (host: number) => inject(service.app, { path: LOOKUP, key, headers: write(host, n) });
      expect((await call(7)).status).toBe(200);
      const refused = await call(8);
      expectError(refused, "FORBIDDEN");
      expect(messageOf(refused)).toMatch(/calls from (?:192\.0\.2\.8|2001:db8:0:8::[12]): /);
    }
  });
});
