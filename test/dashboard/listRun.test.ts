/** How a list is asked: in parts that the balance pays for, waiting where that helps, and stopping where it does not. */
import { describe, expect, it } from "vitest";
import { Failure, type FailureCode } from "../../dashboard/src/api/failure.ts";
import type { Batch, Call } from "../../dashboard/src/api/publicApi.ts";
import type { Answer } from "../../dashboard/src/pages/try/list/job/answers.ts";
import { type Pause, type RunParts, runList } from "../../dashboard/src/pages/try/list/job/run.ts";

const NUMBERS = Array.from({ length: 250 }, (_, index) => String(50_000_001 + index));
const NOBODY = new Set(["50000010", "50000020"]);
const COST_LESS = { charged: 0, remaining: undefined };

/** A service with a balance. Each call takes the next of `refusals` first. */
class Service {
  remaining: number;
  readonly price: number;
  readonly refusals: (Failure | "thrown")[];
  readonly asked: number[] = [];
  readonly answers = new Map<string, Answer>();
  readonly pauses: Pause[] = [];
  underWay = 0;
  #nowMs = 0;

  constructor({ remaining = 1_000, price = 1, refusals = [] as (Failure | "thrown")[] }) {
    this.remaining = remaining;
    this.price = price;
    this.refusals = refusals;
  }

  run(signal = new AbortController().signal, numbers: readonly string[] = NUMBERS) {
    return runList(this.#parts(), { numbers, enrich: false, price: this.price }, signal);
  }

  #parts(): RunParts {
    return {
      ask: async (numbers) => this.#call(numbers),
      sleep: async (ms) => {
        this.#nowMs += ms;
      },
      now: () => this.#nowMs,
      underWay: async (size) => {
        this.underWay = size;
      },
      keep: async (answers) => {
        for (const answer of answers) this.answers.set(answer.number, answer);
        this.underWay = 0;
      },
      pause: (pause) => {
        if (pause !== undefined) this.pauses.push(pause);
      },
    };
  }

  #call(numbers: readonly string[]): Call<Batch> {
    this.asked.push(numbers.length);
    const refusal = this.refusals.shift();
    if (refusal === "thrown") throw new Failure("UNREACHABLE", 0, "no answer");
    if (refusal !== undefined) return callOf({ failure: refusal }, COST_LESS);
    if (numbers.length * this.price > this.remaining) {
      const failure = new Failure("QUOTA_EXCEEDED", 429, "the price is above the balance", {
        retryAfterSeconds: 86_400,
      });
      return callOf({ failure }, { charged: 0, remaining: this.remaining });
    }
    const found = numbers.filter((number) => !NOBODY.has(number));
    this.remaining -= found.length * this.price;
    const body: Batch = {
      results: found.map((kvkNumber) => ({ kvkNumber, name: "Veer", isActive: true, address: {} })),
      failed: numbers
        .filter((number) => NOBODY.has(number))
        .map((kvkNumber) => ({ kvkNumber, error: { code: "NOT_FOUND", message: "" } })),
      tokensUsed: found.length,
    };
    return callOf({ body }, { charged: found.length * this.price, remaining: this.remaining });
  }
}

function callOf(outcome: Call<Batch>["outcome"], cost: Call<Batch>["cost"]): Call<Batch> {
  const request = { method: "POST", path: "/v1/lookup/batch", body: undefined } as const;
  return { outcome, cost, request, raw: { status: 200, headers: {}, durationMs: 1 } };
}

const refused = (code: FailureCode, seconds?: number) =>
  new Failure(code, 500, code, { ...(seconds !== undefined && { retryAfterSeconds: seconds }) });

describe("a list", () => {
  it("is asked in parts of a hundred, and every number gets its answer", async () => {
    const service = new Service({});
    expect(await service.run()).toBe("done");
    expect(service.asked).toEqual([100, 100, 50]);
    expect([...service.answers.keys()]).toEqual(NUMBERS);
    expect(service.answers.get("50000010")).toEqual({ number: "50000010", code: "NOT_FOUND" });
  });

  it.each([
    [0, 1, 0],
    [1, 1, 1],
    [137, 1, 139],
    [137, 5, 29],
    [250, 1, 250],
  ])(
    "with %i tokens at %i each is asked to the last token that pays for a number",
    async (remaining, price, delivered) => {
      const service = new Service({ remaining, price });
      expect(await service.run()).toBe(delivered === NUMBERS.length ? "done" : "quota");
      expect(service.answers.size).toBe(delivered);
      expect(service.remaining).toBeLessThan(delivered === NUMBERS.length ? 3 : price);
    },
  );

  it("stops before a number that the balance pays for no more, and goes on from there", async () => {
    const service = new Service({ remaining: 120 });
    expect(await service.run()).toBe("quota");
    service.remaining = 1_000;
    expect(
      await service.run(
        undefined,
        NUMBERS.filter((number) => !service.answers.has(number)),
      ),
    ).toBe("done");
    expect(service.answers.size).toBe(NUMBERS.length);
    expect(1_000 - service.remaining + 120).toBe(NUMBERS.length - NOBODY.size);
  });

  it("waits as long as the minute's limit says, from either side of the page's interface", async () => {
    const service = new Service({
      refusals: [refused("RATE_LIMIT_EXCEEDED", 41), refused("RATE_LIMIT_EXCEEDED")],
    });
    expect(await service.run()).toBe("done");
    expect(service.underWay).toBe(0);
    expect(service.pauses).toEqual([
      { untilMs: 41_000, why: "rate" },
      { untilMs: 42_000, why: "rate" },
    ]);
  });

  it("asks again after an outage, each time later, and says that it is one when it lasts", async () => {
    const short = new Service({
      refusals: ["thrown", refused("UPSTREAM_ERROR"), refused("SERVICE_UNAVAILABLE", 20)],
    });
    expect(await short.run()).toBe("done");
    expect(short.pauses.map(({ why }) => why)).toEqual(["outage", "outage", "outage"]);
    expect(short.pauses.map(({ untilMs }) => untilMs)).toEqual([2_000, 6_000, 26_000]);
    const long = new Service({ refusals: Array.from({ length: 20 }, () => "thrown" as const) });
    expect(await long.run()).toBe("outage");
    expect(long.answers.size).toBe(0);
    // Nobody knows whether what got no answer was paid for.
    expect(long.underWay).toBe(100);
    expect(long.asked.length).toBe(9);
  });

  it.each([
    ["UNAUTHORIZED", "session"],
    ["FORBIDDEN", "forbidden"],
    ["PAYLOAD_TOO_LARGE", "other"],
  ] as const)("stops at %s, as waiting does not help", async (code, why) => {
    const service = new Service({ refusals: [refused(code)] });
    expect(await service.run()).toBe(why);
    expect(service.asked).toEqual([100]);
  });

  it("asks for nothing more once it is told to stop, and keeps what was under way", async () => {
    const stopping = new AbortController();
    const service = new Service({});
    const kept = service.answers.set.bind(service.answers);
    service.answers.set = (number, answer) => {
      stopping.abort();
      return kept(number, answer);
    };
    expect(await service.run(stopping.signal)).toBe("asked");
    expect(service.answers.size).toBe(100);
  });
});
