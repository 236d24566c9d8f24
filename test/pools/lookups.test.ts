/** Webhooks with names that DNS never resolves do not affect other accounts' VAT checks. */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { expect, it, vi } from "vitest";
import { listen } from "../../src/http/server.ts";
import { begun, completed } from "../jobs/lists.ts";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { startNameServer } from "../kit/nameServer.ts";
import { until } from "../kit/until.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";

const SLOW = ".slow.example";
/** With creating its secret, each free account makes ten calls, its limit per minute. */
const LISTS_OF_ACCOUNT = 9;
const CHECKS = 21;
/** Node's threads for the system resolver and files together (UV_THREADPOOL_SIZE). */
const SYSTEM_THREADS = 4;

/** Simulates the system resolver with names that are never resolved: each occupies a thread, until none is left. */
function holdSystemResolver(): readonly string[] {
  const heldNames: string[] = [];
  const real = dns.lookup;
  const spy = vi.spyOn(dns, "lookup").mockImplementation(((hostname: string, ...more: unknown[]) => {
    if (hostname.endsWith(SLOW)) heldNames.push(hostname);
    else if (heldNames.length < SYSTEM_THREADS) Reflect.apply(real, dns, [hostname, ...more]);
  }) as typeof dns.lookup);
  syncBuiltinESMExports();
  afterFile(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return heldNames;
}

it("a customer's VAT checks are answered while webhooks of two free accounts have names that DNS never resolves", async () => {
  const heldNames = holdSystemResolver();
  const nameServer = await startNameServer(() => "silence");
  const vies = await startVies({ companyOf: () => REGISTERED });
  // By name, so that a connection to VIES needs the system resolver.
  const environment = { VIES_URL: vies.url.replace("127.0.0.1", "localhost"), VIES_DEADLINE_MS: "10000" };
  const inside = await composeInProcess(await makeWorld({ environment }), {
    listOptions: {
      pollEveryMs: 10,
      webhookAgainAfterMs: [0],
      nameServers: [nameServer.address],
    },
  });
  const url = await listen(inside.app, "127.0.0.1", 0);
  const service = { port: Number(new URL(url).port) };
  const { key: customer } = await inside.account("pro");
  for (const account of [await inside.account("free"), await inside.account("free")]) {
    const { key, id } = account;
    await ask(service, { method: "POST", path: "/v1/webhook-secret", key });
    for (let nth = 0; nth < LISTS_OF_ACCOUNT; nth++) {
      const webhook = encodeURIComponent(`https://hook-${nth}.${id.replace("_", "-")}${SLOW}/`);
      await begun(service, key, ["123"], `kind=lookup&webhook=${webhook}`);
    }
  }
  await until(
    "webhooks are delivered",
    () => new Set([...nameServer.asked, ...heldNames]).size >= SYSTEM_THREADS,
  );
  const checks = await Promise.all(
    Array.from({ length: CHECKS }, (_, nth) =>
      ask(service, { path: `/v1/validate/vat/PL${8_567_346_215 + nth}`, key: customer }),
    ),
  );
  expect({ statuses: checks.map(({ status }) => status), held: heldNames }).toEqual({
    statuses: Array(CHECKS).fill(200),
    held: [],
  });
  expect(checks.map((check) => jsonOf(check))).toMatchObject(Array(CHECKS).fill({ valid: true }));
  // The customer's own list finishes meanwhile too.
  const { id } = await begun(service, customer, ["123"]);
  expect(await completed(service, customer, id)).toMatchObject({ counts: { failed: 1 } });
}, 60_000);
