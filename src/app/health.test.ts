import { expect, it } from "vitest";
import { readinessCheck, stateProbe } from "./health.ts";

it("reads the state once for concurrent checks, and reports problems in the order in which to fix them", async () => {
  let probes = 0;
  let [hasSource, isDraining] = [true, false];
  const failing = { probe: () => Promise.reject(new Error("away")) };
  const working = {
    async probe() {
      probes += 1;
    },
  };
  const parts = { hasSource: () => hasSource, isDraining: () => isDraining };
  const check = readinessCheck({ isWritable: stateProbe(working), ...parts });
  const all = await Promise.all(Array.from({ length: 1_000 }, check));
  expect(all.every(({ isReady }) => isReady)).toBe(true);
  expect(probes).toBe(1);

  const away = readinessCheck({ isWritable: stateProbe(failing), ...parts });
  expect(await away()).toEqual({ isReady: false, reason: "the state store is unavailable" });
  hasSource = false;
  expect(await check()).toMatchObject({ isReady: false, reason: expect.stringContaining("KVK_API_KEY") });
  isDraining = true;
  expect(await check()).toMatchObject({ isReady: false, reason: expect.stringContaining("draining") });
});
