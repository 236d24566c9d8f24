import { describe, expect, it, onTestFinished, vi } from "vitest";
import { apiOver, budgetOf, kvk, simulator } from "../../../test/kit/kvkSimulator.ts";
import type { Fault } from "../../demo/kvk/faults.ts";
import { KvkClient } from "./client.ts";
import type { KvkApiOptions } from "./kvkApi.ts";

/** Never reached, even on a machine that stalls for seconds. */
const LONG_MS = 120_000;
const long = () => AbortSignal.timeout(LONG_MS);
const APPEL = kvk("90000010");

describe("each try is reported", () => {
  /** The reported tries, each with whether KVK was called. */
  async function toldOf(fault: Fault, more: Partial<KvkApiOptions> = {}) {
    const kvkSimulator = await simulator();
    kvkSimulator.setFault("*", fault);
    const tries: unknown[] = [];
    const api = apiOver(kvkSimulator, {
      onTried: (product, result, tookMs) =>
        tries.push([
          product,
          result.kind === "found" ? "found" : result.reason,
          tookMs === undefined ? "not asked" : "asked",
        ]),
      ...more,
    });
    return { api, tries, kvkSimulator };
  }
  const failed = ["basisprofiel", "IPD9999", "asked"];

  it("separately: failures, the success, and those stopped by a breaker", async () => {
    const { api, tries, kvkSimulator } = await toldOf({ kind: "flapping", code: "IPD9999", first: 2 });
    await api.company(APPEL, long());
    expect(tries.splice(0)).toEqual([failed, failed, ["basisprofiel", "found", "asked"]]);
    kvkSimulator.setFault("*", { kind: "code", code: "IPD9999" });
    await api.company(APPEL, long());
    await api.company(APPEL, long());
    await api.company(APPEL, long());
    const away = ["basisprofiel", "NOT_ASKED", "not asked"];
    expect(tries).toEqual([...Array.from({ length: 5 }, () => failed), away, away]);
  });

  it("without a duration if a budget or the deadline stopped it", async () => {
    const { api, tries } = await toldOf({ kind: "latency", ms: 1 }, { budget: budgetOf(0) });
    await api.company(APPEL, long());
    await api.company(APPEL, AbortSignal.abort());
    expect(tries).toEqual([
      ["basisprofiel", "BUDGET_SPENT", "not asked"],
      ["basisprofiel", "QUEUED_TOO_LONG", "not asked"],
    ]);
  });

  it("with KVK's duration, without pauses and waits for the queue, the rate limit and the budget", async () => {
    let nowMs = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => now.mockRestore());
    const took: unknown[] = [];
    const client = new KvkClient({
      upstream: {
        get: async () => {
          nowMs += 30;
          return { kind: "response", status: 503, text: "", headers: {} };
        },
        close: async () => {},
      },
      breakers: { now: () => 0 },
      budget: {
        spend: async () => {
          nowMs += 500;
          return { refund: async () => {}, ended: () => {} };
        },
      },
      atOnce: 1,
      callWithinMs: LONG_MS,
      firstRetryAfterMs: 1,
      onTried: (_, __, tookMs) => {
        took.push(tookMs);
        nowMs += 1_000;
      },
    });
    await client.ask("basisprofiel", "/", long(), "other");
    expect(took).toEqual([30, 30, 30]);
  });
});
