/** Several processes behind one address: they share the work, replace each other, and end together. */
import { expect, it } from "vitest";
import { ask, load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const server = await sharedPostgres();
const WORKERS = 2;
const TOKENS = 777;
const CALLS = 3_000;

async function world(name: string) {
  return await makeWorld({
    environment: { DATABASE_URL: await server.database(name), WORKERS: String(WORKERS) },
    tiers: { few: { monthlyTokens: TOKENS, ratePerMinute: 1_000_000 } },
  });
}

const listening = (service: Service) => service.log().filter(({ msg }) => msg === "listening").length;

it("share an address and the tokens of an account, and end with it", async () => {
  const shared = await world("together");
  const { key, id } = await shared.account("few");
  const service = await startService(shared);
  await until("all listen", () => listening(service) === WORKERS);
  for (const pid of service.workers()) process.kill(pid, "SIGUSR1");
  service.program.child.kill("SIGUSR1");
  const calls = Array.from({ length: CALLS }, () => ({ path: `/v1/lookup/${BAKERY}`, key }));
  const { answers, unanswered } = await load(service, calls, { connections: 32 });
  expect(unanswered).toEqual([]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(TOKENS);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(CALLS - TOKENS);
  expect(await service.end("SIGTERM")).toBe(0);
  // Lines of several processes on one pipe: each is whole, and there is one for each call.
  const lines = service.log().filter(({ msg }) => msg === undefined);
  expect(lines).toHaveLength(CALLS);
  const { out } = await opzoek(["usage", id, "--json"], shared.environment);
  expect(JSON.parse(out)).toMatchObject({ tokens: { used: TOKENS } });
  // SIGUSR1 opened no debugger.
  expect(service.program.err()).toBe("");
});

it("replace one that is killed, while the others answer", async () => {
  const shared = await world("killed");
  const { key } = await shared.account("plenty");
  const service = await startService(shared);
  await until("all listen", () => listening(service) === WORKERS);
  const look = () =>
    ask(service, { path: `/v1/lookup/${BAKERY}`, key }).catch((cause: unknown) => {
      throw new Error(`nobody answers: ${JSON.stringify(service.log())}`, { cause });
    });
  const [victim] = service.workers();
  if (victim === undefined) throw new Error("the service has no workers");
  process.kill(victim, "SIGKILL");
  // Only connections that it had are cut.
  await until("it has ended", () => !service.workers().includes(victim));
  await until("another listens", async () => {
    expect((await look()).status).toBe(200);
    return listening(service) === WORKERS + 1;
  });
  const lost = service.log().filter(({ msg }) => String(msg).startsWith("a worker ended"));
  expect(lost).toMatchObject([{ pid: victim, signal: "SIGKILL" }]);
  expect((await look()).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
});

it("tell once, and in one line, why they cannot start", async () => {
  const shared = await world("refused");
  const first = await startService(shared);
  const { code, err } = await spawnOpzoek(["serve"], { ...shared.environment, PORT: String(first.port) });
  expect(code).toBe(1);
  expect(err.trim().split("\n")).toEqual([expect.stringContaining(`port ${first.port}`)]);
});
