import { expect, it } from "vitest";
import { kvkNumberOf } from "../contract/numbers.ts";
import { AnswerFeed } from "./answerFeed.ts";

const NOW_MS = 1_000_000_000;

/** Reads answers until a page is not full. @returns the numbers read, in order, and until when */
async function readAll(answersAtMs: readonly number[], untilMs: number) {
  const answers = answersAtMs.map((atMs, nth) => ({ kvkNumber: kvkNumberOf(60_000_000 + nth), atMs }));
  const feed = new AnswerFeed(async (sinceMs, limit) =>
    answers.filter(({ atMs }) => atMs >= sinceMs).slice(0, limit),
  );
  const read = new Set<number>();
  for (let pages = 1; ; pages++) {
    const page = await feed.next(untilMs, NOW_MS);
    untilMs = page.untilMs;
    for (const kvkNumber of page.kvkNumbers) read.add(Number(kvkNumber) - 60_000_000);
    if (!page.hasMore) return { read: [...read], untilMs, pages };
  }
}

const range = (count: number) => Array.from({ length: count }, (_, nth) => nth);

it("reads all answers, page by page", async () => {
  const times = range(250).map((nth) => 1_000 + nth);
  expect(await readAll(times, 0)).toEqual({ read: range(250), untilMs: 1_249, pages: 3 });
});

it("reads those of the last seconds again, as some may have been stored later", async () => {
  expect(await readAll([1_000, 20_000, 25_000], 25_000)).toEqual({ read: [1, 2], untilMs: 25_000, pages: 1 });
});

it("reads answers of one moment that fill several pages without reading forever", async () => {
  const { read, untilMs } = await readAll([...Array<number>(150).fill(5_000), 6_000], 0);
  expect(read).toContain(150);
  expect(untilMs).toBe(6_000);
});

it("does not pass the present when a clock was ahead", async () => {
  expect(await readAll([NOW_MS + 60_000], 0)).toEqual({ read: [0], untilMs: NOW_MS, pages: 1 });
});
