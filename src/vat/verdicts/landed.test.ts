import { describe, expect, it } from "vitest";
import { LIFETIMES, LONG_MS, MemoryStore, NOW_MS } from "../../../test/kit/verdicts.ts";
import { answered, numberOf } from "../../../test/kit/viesResults.ts";
import { UNREACHABLE } from "../vies/codes.ts";
import type { ViesResult } from "../vies/results.ts";
import { ViesFlights } from "./flights.ts";

const PL = numberOf("PL", 1);
const VALID = answered(true, { name: "Made up" });

describe("an answer that has just come", () => {
  const flightsOver = (words: ViesResult[]) => {
    const store = new MemoryStore();
    let asked = 0;
    const flights = new ViesFlights({
      store,
      ask: async () => words[Math.min(asked++, words.length - 1)] ?? VALID,
      lifetimes: LIFETIMES,
      now: () => NOW_MS,
      confirmAfterMs: 0,
    });
    return { flights, asked: () => asked };
  };

  it("is told to who asked without knowing of it, and asked for anew by who knows", async () => {
    const { flights, asked } = flightsOver([VALID]);
    const first = await flights.fly(PL, LONG_MS, undefined, undefined);
    expect(await flights.fly(PL, LONG_MS, undefined, undefined)).toEqual(first);
    expect(await flights.fly(PL, LONG_MS, undefined, NOW_MS - 1)).toEqual(first);
    expect(asked()).toBe(1);
    await flights.fly(PL, LONG_MS, undefined, NOW_MS);
    expect(asked()).toBe(2);
  });

  it("is not told where none came", async () => {
    const { flights, asked } = flightsOver([UNREACHABLE]);
    await flights.fly(PL, LONG_MS, undefined, undefined);
    await flights.fly(PL, LONG_MS, undefined, undefined);
    expect(asked()).toBe(2);
  });
});
