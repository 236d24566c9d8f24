import { expect, it } from "vitest";
import { healthCheck, readinessCheck, stateProbe } from "./health.ts";

it("reads the state once for concurrent checks, and reports problems in the order in which to fix them", async () => {
  let probes = 0;
  let isDraining = false;
  const companies = { hasSnapshot: true, isFindable: true };
  const failing = { probe: () => Promise.reject(new Error("away")) };
  const working = {
    async probe() {
      probes += 1;
    },
  };
  const parts = { companies, needsSearch: true, isDraining: () => isDraining };
  const check = readinessCheck({ isWritable: stateProbe(working), ...parts });
  const all = await Promise.all(Array.from({ length: 1_000 }, check));
  expect(all.every(({ reason }) => reason === undefined)).toBe(true);
  expect(probes).toBe(1);

  const away = readinessCheck({ isWritable: stateProbe(failing), ...parts });
  expect(await away()).toEqual({ reason: "the state store is unavailable", search: "ready" });
  isDraining = true;
  expect(await away()).toEqual({ reason: expect.stringContaining("draining"), search: "ready" });
});

it.each([
  ["no registry", { hasSnapshot: false, isFindable: true }, "none", true, true],
  ["a registry with an index", { hasSnapshot: true, isFindable: true }, "ready", true, true],
  ["a registry without an index", { hasSnapshot: true, isFindable: false }, "building", false, true],
])(
  "with %s, search is reported, and needed unless set otherwise",
  async (_what, companies, search, isReady, isReadyWithout) => {
    const parts = { companies, isWritable: async () => true, isDraining: () => false };
    const [needed, without] = await Promise.all(
      [true, false].map((needsSearch) => readinessCheck({ ...parts, needsSearch })()),
    );
    expect(needed).toEqual({ search, ...(!isReady && { reason: expect.stringContaining("name index") }) });
    expect(without).toEqual({ search, ...(!isReadyWithout && { reason: expect.any(String) }) });
  },
);

it.each([
  ["up", "ok"],
  ["down", "degraded"],
  [undefined, "ok"],
] as const)("with KVK's open data %s it is %s", async (openData, status) => {
  const check = healthCheck({
    companies: { hasSnapshot: true, isFindable: true, liveHealth: undefined },
    isWritable: async () => true,
    upstreams: [{ health: { vies: () => "up" } }, openData ? { health: { openData: () => openData } } : {}],
  });
  const services = { kvk: "up", vies: "up", ...(openData && { openData }) };
  expect(await check()).toEqual({ status, services, timestamp: expect.any(String) });
});
