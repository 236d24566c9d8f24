import { beforeAll, describe, expect, it } from "vitest";
import type { SessionState, Tried } from "../../../src/contract/accountResources.ts";
import type { AccountEvents, AccountWebhooks, UnreadEvents } from "../../../src/contract/eventResources.ts";
import type { ChangeEvent, Monitor } from "../../../src/contract/monitors.ts";
import { BEHIND_PROXY, Browser, PUBLIC } from "../../kit/browser.ts";
import { BAKERY, FERRY } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../../kit/inProcess.ts";
import { until } from "../../kit/until.ts";
import type { MakeWorld } from "../../kit/world.ts";

const EVENTS = 27;
const URL = "https://fabel.example/hook";
let service: InProcess;
let count = 0;

/** A person who monitors the bakery and the ferry. */
async function enter() {
  const browser = new Browser(service.app, { origin: PUBLIC });
  await browser.enter(`monitors-${++count}@fabel.example`);
  const attempt = (method: string, path: string, body?: object) =>
    browser.post<Tried>("/account/try", { method, path, ...(body && { body: JSON.stringify(body) }) });
  const added = await attempt("POST", "/v1/monitors", {
    kvkNumbers: [BAKERY, FERRY],
    metadata: { name: "Fabel" },
  });
  const { results } = added.body as { results: readonly [Monitor, Monitor] };
  const accountId = (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
  return { browser, attempt, monitors: results, accountId };
}

/** Records a change of the bakery's name, or every third time of its status, each newer than the one before. */
async function change(times: number): Promise<void> {
  const { monitors } = service.state;
  for (let nth = 1; nth <= times; nth += 1) {
    const [baseline] = (await monitors.monitoredAmong([BAKERY]))[0]?.baselines ?? [];
    if (baseline === undefined) throw new Error("the company has no baseline");
    const { asOfMs, serialMs } = baseline;
    const changes =
      nth % 3 === 0
        ? { type: "company.deregistered" as const, changes: { isActive: { previous: true, current: false } } }
        : { type: "company.renamed" as const, changes: { name: { previous: `${nth}`, current: "=1+1" } } };
    await monitors.recordObservations([
      {
        replaces: { asOfMs, serialMs },
        baseline: { ...baseline, asOfMs: asOfMs + 1 },
        changes: [changes],
      },
    ]);
  }
}

/** Events and webhooks of monitors as the page reads them. */
export function monitors(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    service = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } }));
  });

  describe("events", () => {
    it("are read newest first, by page, type and company, counted until they are shown, and exported", async () => {
      const { browser, accountId } = await enter();
      await change(EVENTS);
      const unread = async () => (await browser.get<UnreadEvents>("/account/events/unread")).unread;
      await until("all events are recorded", async () => (await unread()) === EVENTS);
      const read = (query = "") => browser.get<AccountEvents>(`/account/events${query}`);
      const first = await read();
      expect(first.events).toHaveLength(25);
      const { events, ...second } = await read(`?before=${first.before}`);
      expect(second).toEqual({ names: first.names });
      expect(Object.keys(first.names)).toEqual([BAKERY]);
      expect(await read(`?limit=${EVENTS}`)).toEqual({
        events: [...first.events, ...events],
        names: first.names,
      });
      const all = [...first.events, ...events];
      const stored = await service.state.monitors.events({ accountId }, 0, EVENTS, {});
      expect(all.map(({ id }) => id)).toEqual(
        "events" in stored ? stored.events.map(({ id }) => id).reverse() : [],
      );
      expect(all[0]).toMatchObject({ kvkNumber: BAKERY, metadata: { name: "Fabel" } });
      expect((await read("?type=company.deregistered")).events).toEqual(
        all.filter(({ type }) => type === "company.deregistered"),
      );
      expect(await read(`?kvkNumber=${FERRY}`)).toEqual({ events: [], names: {} });
      for (const query of ["?before=0", "?type=company", "?kvkNumber=1", "?limit=501"]) {
        expect((await browser.ask("GET", `/account/events${query}`)).status, query).toBe(400);
      }
      await browser.post("/account/events/read", {});
      expect(await unread()).toBe(0);

      const exported = await browser.get<{ monitors: readonly Monitor[]; events: readonly ChangeEvent[] }>(
        "/account/export",
      );
      expect(exported.events).toEqual(all);
      expect(exported.monitors.map(({ kvkNumber }) => kvkNumber).sort()).toEqual([FERRY, BAKERY].sort());
      const stranger = await enter();
      expect(await stranger.browser.get("/account/events")).toEqual({ events: [], names: {} });
    });
  });

  describe("webhooks", () => {
    it("are listed with one of their monitors, which can be changed and removed by calls of the page", async () => {
      const { browser, attempt, monitors } = await enter();
      const [one] = monitors;
      const path = `/v1/monitors/${one.id}`;
      expect(await attempt("PATCH", path, { webhook: URL })).toMatchObject({ status: 400 });
      await attempt("POST", "/v1/webhook-secret");
      expect(await attempt("PATCH", path, { webhook: URL })).toMatchObject({
        status: 200,
        body: { webhook: { url: URL } },
      });
      const list = () => browser.get<AccountWebhooks>("/account/webhooks");
      expect(await list()).toEqual({
        webhooks: [{ url: URL, monitors: 1, monitorId: one.id, waiting: 0, isEnabled: true }],
      });
      expect(await attempt("DELETE", path)).toMatchObject({ status: 200, body: { isRemoved: true } });
      expect(await list()).toEqual({ webhooks: [] });
      expectError(await browser.ask("POST", "/account/try", { method: "PUT", path }), "INVALID_REQUEST");
    });
  });
}
