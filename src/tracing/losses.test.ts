import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Losses } from "./losses.ts";

let told: string[];
let losses: Losses;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  losses = new Losses((reason) => told.push(reason));
});
afterEach(() => {
  vi.useRealTimers();
});

it("tells at once, and what comes then once a minute, by cause, each with the spans that it cost", () => {
  losses.add("HTTP 401", 3);
  expect(told).toEqual(["HTTP 401 (3 spans)"]);
  losses.add("HTTP 401", 1);
  losses.add("HTTP 401", 512);
  losses.add("an answer that says nothing of spans", 0);
  vi.advanceTimersByTime(59_999);
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(told.slice(1)).toEqual(["HTTP 401 (513 spans); an answer that says nothing of spans"]);
});

it("says nothing where nothing more is lost, and tells the next one at once", () => {
  losses.add("HTTP 401", 3);
  vi.advanceTimersByTime(600_000);
  expect(told).toHaveLength(1);
  losses.add("HTTP 503", 1);
  expect(told.slice(1)).toEqual(["HTTP 503 (1 spans)"]);
});

it("keeps a few causes apart, however many there are", () => {
  for (let nth = 0; nth < 1_000; nth += 1) losses.add(`cause ${nth}`, 1);
  vi.advanceTimersByTime(60_000);
  expect(told.slice(1)).toEqual([
    "cause 1 (1 spans); cause 2 (1 spans); cause 3 (1 spans); cause 4 (1 spans); cause 5 (1 spans); other causes (994 spans)",
  ]);
});

it("tells the rest as it ends, and nothing later", () => {
  losses.add("HTTP 401", 3);
  losses.add("HTTP 401", 2);
  losses.close();
  expect(told.slice(1)).toEqual(["HTTP 401 (2 spans)"]);
  losses.add("HTTP 401", 2);
  vi.advanceTimersByTime(600_000);
  expect(told).toHaveLength(2);
});
