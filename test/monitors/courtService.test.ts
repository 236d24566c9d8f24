/** A running service reports the changes of the court's register, of a simulated court. */
import { beforeAll, expect, it } from "vitest";
import { type ChangeEvent, Monitors } from "../../client/src/monitors/index.ts";
import { loadInsolvencies } from "../../src/app/compose/insolvency.ts";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { CourtRegister, ROTTERDAM } from "../../src/demo/court/register.ts";
import { SIMULATED_COURT_LOGIN, startCourtSimulator } from "../../src/demo/court/server.ts";
import { afterFile } from "../kit/afterFile.ts";
import { BAKERY, FERRY } from "../kit/companies.ts";
import { bankruptcy, published } from "../kit/courtSimulator.ts";
import { freePort } from "../kit/freePort.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const HOUR_MS = 3_600_000;
const SUSPENDED = "S.42/26/9";
const BANKRUPT = "F.42/26/100";

const register = new CourtRegister(
  [
    bankruptcy({ kvkNumber: BAKERY, caseNumber: SUSPENDED, ...published(["3300", "2026-10-20"]) }),
    bankruptcy({ kvkNumber: "90001001", caseNumber: "F.42/26/1" }),
  ],
  Date.now() - HOUR_MS,
);
let world: World;
let monitors: Monitors;

beforeAll(async () => {
  const court = await startCourtSimulator({ port: await freePort(), register });
  afterFile(() => court.stop());
  const { user, password } = SIMULATED_COURT_LOGIN;
  world = await makeWorld({ environment: { CIR_URL: court.url, CIR_USER: user, CIR_PASSWORD: password } });
  await load();
  const service = await startService(world);
  monitors = new Monitors({ baseUrl: service.address, key: (await world.account("plenty")).key });
});

/** Brings the register up to date, as the operator's command does next to a service. */
async function load(): Promise<void> {
  const settings = readSettings(world.environment);
  const state = await openCommandState(settings);
  const report = await loadInsolvencies(settings, state, { allowRemovals: false, onCase: () => {} });
  await state.close();
  expect(report.failure).toBeUndefined();
}

/** All events so far, once there are as many. */
const events = (count: number): Promise<readonly ChangeEvent[]> =>
  until(`there are ${count} events`, async () => {
    const { events: found } = await monitors.changesPage({});
    return found.length >= count && found;
  });

it("reports an open case, its conversion, its removal and a new case, each once", async () => {
  await until("the service has the first list", async () => {
    const { sources } = await monitors.settings();
    return sources.some(({ source, lastDataAt }) => source === "court-register" && lastDataAt !== undefined);
  });
  await monitors.add([BAKERY, FERRY]);
  const [first] = await events(1);
  const suspension = { since: "2026-10-20", court: "Rechtbank Midden-Nederland", caseNumber: SUSPENDED };
  expect(first).toMatchObject({
    type: "company.insolvency_changed",
    kvkNumber: BAKERY,
    source: { kvk: "court-register" },
    isFirstObservation: true,
    changes: {
      insolvency: { current: "suspension_of_payments" },
      insolvencyCase: { current: suspension },
    },
  });

  register.continueAs(SUSPENDED, { ends: "3313", declares: "1306" }, { caseNumber: BANKRUPT });
  register.put(bankruptcy({ kvkNumber: FERRY, caseNumber: "F.46/26/2", court: ROTTERDAM }));
  await load();
  const declared = (await events(3)).slice(1);
  expect(declared).toContainEqual(
    expect.objectContaining({
      kvkNumber: BAKERY,
      changes: {
        insolvency: { previous: "suspension_of_payments", current: "bankruptcy" },
        insolvencyCase: {
          previous: suspension,
          current: { ...suspension, since: register.today, caseNumber: BANKRUPT },
        },
      },
    }),
  );
  expect(declared).toContainEqual(
    expect.objectContaining({
      kvkNumber: FERRY,
      changes: {
        insolvency: { previous: "none", current: "bankruptcy" },
        insolvencyCase: {
          current: { since: "2026-11-03", court: "Rechtbank Rotterdam", caseNumber: "F.46/26/2" },
        },
      },
    }),
  );

  register.remove("F.46/26/2", "Intrekking");
  await load();
  expect((await events(4))[3]).toMatchObject({
    kvkNumber: FERRY,
    changes: { insolvency: { previous: "bankruptcy", current: "none", reason: "removed" } },
  });
  expect(JSON.stringify(await events(4))).not.toContain("urator");
  const { sources } = await monitors.settings();
  expect(sources).toContainEqual({
    source: "court-register",
    lastDataAt: new Date(Date.parse(register.extractedAt)).toISOString(),
    reports: ["company.insolvency_changed"],
  });
});
