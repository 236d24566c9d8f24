import { describe, expect, it, onTestFinished, vi } from "vitest";
import { apiOver, budgetOf, kvk, simulator } from "../../../test/kit/kvkSimulator.ts";
import type { Fault } from "../../simulators/kvk/faults.ts";
import { Breakers } from "./breakers.ts";
import { KvkClient } from "./client.ts";
import type { KvkApiOptions } from "./kvkApi.ts";

/** Far more than anything here takes, on a machine that stands still for seconds too. */
const LONG_MS = 120_000;
const long = () => AbortSignal.timeout(LONG_MS);
const APPEL = kvk("90000010");

describe("each try is told", () => {
  /** What is told of tries, each with whether KVK was asked. */
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

  it("by itself: those that failed, the one that worked, and those that a breaker kept away", async () => {
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

  it("without a time where a limit on paid calls or the caller's own time kept it from KVK", async () => {
    const { api, tries } = await toldOf({ kind: "latency", ms: 1 }, { budget: budgetOf(0) });
    await api.company(APPEL, long());
    await api.company(APPEL, AbortSignal.abort());
    expect(tries).toEqual([
      ["basisprofiel", "BUDGET_SPENT", "not asked"],
      ["basisprofiel", "QUEUED_TOO_LONG", "not asked"],
    ]);
  });

  it("with what KVK took, and neither the pauses nor the waits for its turn, its rate and the budget", async () => {
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
      breakers: new Breakers({ now: () => 0 }),
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
