/** The demo: works at once, keeps what it had, and is for this machine only. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonOf } from "../support/answer.ts";
import { ask } from "../support/client.ts";
import { opzoek } from "../support/opzoek.ts";
import { type Service, startService } from "../support/service.ts";
import { awayFromMonthEnd, until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";

/** What the demo printed: `tier key` lines and the curl lines. */
async function welcome(service: Service): Promise<{ keys: Map<string, string>; curls: string[] }> {
  await until("the demo says how to stop it", () => service.program.err().includes("Ctrl-C"));
  const lines = service.program.err().split("\n");
  const keys = new Map<string, string>();
  for (const line of lines) {
    const [, tier, key] = /^ {2}([a-z]+) +(opz_test_\w+)$/.exec(line) ?? [];
    if (tier !== undefined && key !== undefined) keys.set(tier, key);
  }
  return { keys, curls: lines.filter((line) => line.trim().startsWith("curl ")) };
}

it("serves 25,000 companies with a key for each tier, and a second start keeps keys and ledger", async () => {
  const world = await makeWorld({ companies: [] });
  await awayFromMonthEnd();
  const first = await startService(world, ["demo"]);
  const { keys, curls } = await welcome(first);
  expect([...keys.keys()]).toEqual(expect.arrayContaining(["free", "starter", "pro"]));
  expect(first.log().find(({ msg }) => msg === "listening")).toMatchObject({ companies: 25_000 });
  expect(curls.length).toBe(3);
  const pro = keys.get("pro");
  for (const curl of curls) {
    const url = /(http:\/\/[^" ]+)"?$/.exec(curl)?.[1] ?? "";
    expect(url.startsWith(first.address)).toBe(true);
    expect(curl).toContain(`Bearer ${pro}`);
    const answer = await ask(first, { path: url.slice(first.address.length), key: pro });
    expect(answer.status).toBe(200);
  }
  const before = jsonOf(await ask(first, { path: "/v1/usage", key: pro }));
  expect(before).toMatchObject({ tier: "pro", tokens: { used: 2 } });
  expect(await first.end("SIGINT")).toBe(0);

  const second = await startService(world, ["demo"]);
  expect((await welcome(second)).keys).toEqual(keys);
  const after = jsonOf(await ask(second, { path: "/v1/usage", key: pro }));
  expect(after).toMatchObject({ tier: "pro", tokens: { used: 2 } });
  expect(await second.end("SIGTERM")).toBe(0);

  // Nor may its keys be served to others by the command for real services.
  const environment = { ...world.environment, DATA_DIR: join(world.dataDir, "demo"), HOST: "0.0.0.0" };
  const { code, err } = await opzoek(["serve"], environment);
  expect(code).toBe(2);
  expect(err).toContain("HOST must be a loopback address");
});

it.each(["0.0.0.0", "::", "192.0.2.1"])("refuses HOST=%s, because its keys are public", async (host) => {
  const world = await makeWorld({ companies: [] });
  const { code, err, out } = await opzoek(["demo"], { ...world.environment, HOST: host });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("HOST");
  expect(err).toContain("loopback");
});
