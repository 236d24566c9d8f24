/** The public parts of the page: service status, offer, and company search where it is allowed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionState } from "../../src/contract/accountResources.ts";
import type { Offer, ServiceStatus, Suggestions } from "../../src/contract/publicResources.ts";
import type { Health } from "../../src/http/endpoint.ts";
import { inject } from "../kit/answer.ts";
import { BEHIND_PROXY, Browser, PUBLIC } from "../kit/browser.ts";
import { BAKERY, COMPANIES } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { startVies } from "../kit/vies.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const SLOT_MS = 1_800_000;
const FICTIONAL = COMPANIES.slice(0, 3).map((company) => ({ ...company, origin: "demo" }));

it("the status shows the registry and VIES, and omits the day when the store is down", async () => {
  const service = await composeInProcess(await makeWorld({ environment: BEHIND_PROXY }));
  const slotAtMs = Math.floor(NOON / SLOT_MS) * SLOT_MS;
  await service.state.verdicts.addViesSlots([{ state: "NL", slotAtMs, answered: 7, unanswered: 2 }], 0);
  const visitor = new Browser(service.app, { origin: PUBLIC });
  expect(await visitor.get<ServiceStatus>("/account/status")).toMatchObject({
    registrySource: "up",
    registry: { companies: expect.any(Number), sources: expect.any(Array) },
    slotSeconds: 1_800,
    viesDay: [
      { state: "NL", slots: [{ startsAt: new Date(slotAtMs).toISOString(), answered: 7, unanswered: 2 }] },
    ],
  });
});

it("the status shows the companies and the date of each source", async () => {
  const [first, second] = COMPANIES.map((company) => ({ ...company, asOf: "2026-01-01T00:00:00.000Z" }));
  if (first === undefined || second === undefined) throw new Error("two companies are needed");
  const companies = [first, { ...second, origin: "kvk-api", asOf: "2026-02-01T00:00:00.000Z" }];
  const service = await composeInProcess(await makeWorld({ environment: BEHIND_PROXY, companies }));
  const { registry } = await new Browser(service.app, { origin: PUBLIC }).get<ServiceStatus>(
    "/account/status",
  );
  expect(registry?.companies).toBe(2);
  expect(registry?.sources).toEqual([
    { source: first.origin, companies: 1, asOf: first.asOf },
    { source: "kvk-api", companies: 1, asOf: "2026-02-01T00:00:00.000Z" },
  ]);
});

it.each([
  ["it was never queried", [], "unknown"],
  ["it answered", [[3, 0]], "up"],
  ["it answered some", [[1, 4]], "up"],
  ["it never answered", [[0, 4]], "degraded"],
] as const)("the status shows VIES as up only after it has answered: %s", async (_when, slots, expected) => {
  const vies = await startVies();
  const environment = { VIES_URL: vies.url, ...BEHIND_PROXY };
  const service = await composeInProcess(await makeWorld({ environment }));
  const slotAtMs = Math.floor(NOON / SLOT_MS) * SLOT_MS;
  const rows = slots.map(([answered, unanswered]) => ({ state: "NL", slotAtMs, answered, unanswered }));
  await service.state.verdicts.addViesSlots(rows, 0);
  const visitor = new Browser(service.app, { origin: PUBLIC });
  expect((await visitor.get<ServiceStatus>("/account/status")).vies).toBe(expected);
  // The API keeps its own three values.
  expect((await visitor.get<Health>("/v1/health")).services.vies).toBe("up");
});

it.each([
  ["fictional", FICTIONAL, true],
  ["real", COMPANIES, false],
] as const)(
  "both pages show the operator's links, and say whether the %s companies are fictional",
  async (_what, companies, isFictional) => {
    const pageFolder = temporaryFolder();
    mkdirSync(join(pageFolder, "docs"));
    for (const page of ["index.html", "docs/index.html"]) writeFileSync(join(pageFolder, page), "{{site}}");
    const environment = { TERMS_URL: "https://companies.example/terms" };
    const { app } = await composeInProcess(await makeWorld({ environment, companies }), { pageFolder });
    for (const path of ["/", "/docs/"]) {
      const { text } = await inject(app, { path });
      expect(JSON.parse(text.replaceAll("&quot;", '"')), path).toEqual({
        isFictional,
        operator: { termsUrl: "https://companies.example/terms" },
      });
    }
  },
);

it("the offer lists the operator's plans", async () => {
  const service = await composeInProcess(await makeWorld({ environment: BEHIND_PROXY }));
  const offer = await new Browser(service.app, { origin: PUBLIC }).get<Offer>("/account/offer");
  expect(offer.tiers.find(({ name }) => name === "plenty")).toMatchObject({ name: "plenty" });
  expect(offer.prices).toContainEqual({ operation: "autocomplete", tokens: 1 });
});

it("the page finds companies without an account where that is allowed, twenty times a minute per address", async () => {
  const world = await makeWorld({ environment: { PUBLIC_SEARCH: "on", ...BEHIND_PROXY } });
  const service = await composeInProcess(world);
  const visitor = new Browser(service.app, { origin: PUBLIC });
  const other = new Browser(service.app, { origin: PUBLIC });
  expect((await visitor.get<SessionState>("/account/session")).maySearch).toBe(true);
  const found = await visitor.get<Suggestions>(`/account/suggestions?q=${BAKERY}`);
  expect(found.results[0]?.kvkNumber).toBe(BAKERY);
  const rest = await Promise.all(
    Array.from({ length: 25 }, () => visitor.ask("GET", "/account/suggestions?q=bak")),
  );
  expect(rest.filter(({ status }) => status === 200)).toHaveLength(19);
  const refused = rest.find(({ status }) => status === 429);
  expect(refused?.headers["retry-after"]).toMatch(/^[1-9]/);
  expect((await other.ask("GET", "/account/suggestions?q=bak")).status).toBe(200);
  expectError(await other.ask("GET", "/account/suggestions?q=b"), "INVALID_REQUEST");
  expect((await other.ask("GET", `/account/suggestions?q=${"a".repeat(700)}`)).status).toBe(200);
  expectError(await other.ask("GET", `/account/suggestions?q=${"a".repeat(701)}`), "INVALID_REQUEST");
});

it("the page suggests nothing without an account where that is not allowed, or without a registry", async () => {
  const closed = await composeInProcess(await makeWorld({ environment: BEHIND_PROXY }));
  const visitor = new Browser(closed.app, { origin: PUBLIC });
  expect((await visitor.get<SessionState>("/account/session")).maySearch).toBe(false);
  expectError(await visitor.ask("GET", "/account/suggestions?q=bak"), "FORBIDDEN");
  const environment = { PUBLIC_SEARCH: "on", ...BEHIND_PROXY };
  const empty = await composeInProcess(await makeWorld({ companies: [], environment }));
  const answer = await new Browser(empty.app, { origin: PUBLIC }).ask("GET", "/account/suggestions?q=bak");
  expectError(answer, "SERVICE_UNAVAILABLE");
});
