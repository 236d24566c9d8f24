/** The court's register in services: loaded by a command, updated once a day by one of the nodes. */
import { expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { CourtRegister } from "../../src/demo/court/register.ts";
import { SIMULATED_COURT_LOGIN, startCourtSimulator } from "../../src/demo/court/server.ts";
import { COURT_TURN } from "../../src/insolvency/dailyRun.ts";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { bankruptcy } from "../kit/courtSimulator.ts";
import { opzoek } from "../kit/opzoek.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const DAY_MS = 86_400_000;
const [BANKRUPT, SOLVENT] = ["90001001", "90001018"] as const;

function company(digits: string, name: string) {
  const kvkNumber = parseKvkNumber(digits);
  if (kvkNumber === undefined) throw new RangeError(digits);
  return {
    origin: "import:fabel",
    asOf: "2026-01-01T00:00:00.000Z",
    facts: { kvkNumber, name, legalForm: "BV", isActive: true },
  } as const;
}

/** A world whose court has a bankruptcy. */
async function stage(environment: Readonly<Record<string, string>> = {}) {
  const register = new CourtRegister([bankruptcy()], Date.now() - 2 * DAY_MS);
  const court = await startCourtSimulator({ register });
  afterFile(() => court.stop());
  const { user, password } = SIMULATED_COURT_LOGIN;
  const world = await makeWorld({
    companies: [company(BANKRUPT, "Fabel Bouw B.V."), company(SOLVENT, "Fabel Zuivel B.V.")],
    environment: {
      CIR_URL: court.url,
      CIR_USER: user,
      CIR_PASSWORD: password,
      METRICS_PORT: "0",
      ...environment,
    },
  });
  const { key } = await world.account("plenty");
  const insolvencyOf = async (service: Service, kvkNumber: string) => {
    const answer = await ask(service, { path: `/v1/lookup/${kvkNumber}?enrich=true`, key });
    return (jsonOf(answer) as { insolvency?: { type: string; curators?: unknown } }).insolvency;
  };
  return { register, court, world, insolvencyOf };
}

async function healthOf(service: Service): Promise<unknown> {
  const { text } = await ask(service, { path: "/v1/health" });
  const { services } = JSON.parse(text) as { services: { courtRegister: string } };
  return services.courtRegister;
}

async function metricsOf(service: Service): Promise<string> {
  const logged = service.log().find(({ msg }) => msg === "metrics are served");
  return (await fetch(String(logged?.["address"]))).text();
}

/** Makes the next daily run due now. */
async function makeDue({ environment }: World): Promise<void> {
  const state = await openCommandState(readSettings(environment));
  const turn = await until("the turn is free", async () => {
    const taken = await state.turns.takeTurn(COURT_TURN, 60_000, 0, { isDueNow: true });
    return typeof taken === "number" ? undefined : taken;
  });
  await state.turns.endTurn({ ...turn, cursor: "0 0 0 0" }, 0);
  await state.close();
}

it("says nothing before the first load, then answers within seconds of it, and doctor, health and metrics say how far it is", async () => {
  const { register, world, insolvencyOf } = await stage();
  const service = await startService(world);
  expect(await healthOf(service)).toBe("down");
  expect(await insolvencyOf(service, BANKRUPT)).toBeUndefined();
  await until("the log says what to do", () =>
    service.log().some(({ msg }) => String(msg).includes("opzoek import insolvencies")),
  );
  const before = await opzoek(["doctor"], world.environment);
  expect(before.out).toContain("the insolvency register was never loaded as a whole");

  const loaded = await opzoek(["import", "insolvencies"], world.environment);
  expect(loaded).toMatchObject({ code: 0, out: "1 case fetched\n" });
  await until("the service has read it", async () => (await healthOf(service)) === "up");
  expect(await insolvencyOf(service, BANKRUPT)).toMatchObject({
    type: "bankruptcy",
    source: "court-register",
    since: "2026-11-03",
    caseNumber: "F.16/26/100",
  });
  expect(await insolvencyOf(service, SOLVENT)).toMatchObject({ type: "none", source: "court-register" });
  const metrics = await metricsOf(service);
  expect(metrics).toMatch(/^opzoek_court_cases 1$/m);
  expect(metrics).toMatch(/^opzoek_court_unplaced_cases 0$/m);
  expect(metrics).toMatch(/^opzoek_court_list_timestamp_seconds 1[0-9]{9}/m);

  register.remove("F.16/26/100");
  await opzoek(["import", "insolvencies"], world.environment);
  await until("the removal is seen", async () => (await insolvencyOf(service, BANKRUPT))?.type === "none");
  const after = await opzoek(["doctor"], world.environment);
  expect(after.out).toMatch(/the insolvency register was complete .* 0 cases must still be fetched/);
  expect(JSON.stringify(service.log())).not.toContain(SIMULATED_COURT_LOGIN.password);
});

it("continues after an outage of the court, and refuses a second load at the same time", async () => {
  const { court, world } = await stage();
  court.setFault("getCase", { kind: "exceptie", code: "2" });
  const failed = await opzoek(["import", "insolvencies", "--json"], world.environment);
  expect(failed.code).toBe(1);
  expect(failed.err).toMatch(/The register is not complete: .* Run the command again: it continues\./);
  expect(failed.err + failed.out).not.toContain(SIMULATED_COURT_LOGIN.password);
  court.setFault("getCase", undefined);
  const state = await openCommandState(readSettings(world.environment));
  const turn = await state.turns.takeTurn(COURT_TURN, 60_000, 0, { isDueNow: true });
  if (typeof turn === "number") throw new Error("the command has kept its turn");
  const refused = await opzoek(["import", "insolvencies"], world.environment);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("another process loads") });
  await state.turns.endTurn(turn, 0);
  await state.close();
  expect(await opzoek(["import", "insolvencies"], world.environment)).toMatchObject({ code: 0 });
});

it("says which setting is missing", async () => {
  const world = await makeWorld({ companies: [] });
  const { code, err } = await opzoek(["import", "insolvencies"], world.environment);
  expect([code, err]).toEqual([1, expect.stringContaining("set CIR_USER and CIR_PASSWORD")]);
});

it("is updated by one of two nodes, and both answer by it", async () => {
  const server = await sharedPostgres();
  const DATABASE_URL = await server.newDatabase("insolvencies");
  const { register, court, world, insolvencyOf } = await stage({ DATABASE_URL });
  await opzoek(["import", "insolvencies"], world.environment);
  const nodes = await Promise.all([startService(world), startService(world)]);
  for (const node of nodes) {
    await until(
      "the node has read it",
      async () => (await insolvencyOf(node, BANKRUPT))?.type === "bankruptcy",
    );
  }
  register.publish("F.16/26/100", "1317");
  const lists = () =>
    court.log.filter(({ operation }) => operation !== "getCase").map(({ operation }) => operation);
  const before = lists().length;
  await makeDue(world);
  for (const node of nodes) {
    await until(
      "the node has read the end",
      async () => (await insolvencyOf(node, BANKRUPT))?.type === "none",
    );
  }
  expect(lists().slice(before)).toEqual(["searchModifiedSince", "searchRemovedSince"]);
});
