import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { kyselyOver } from "../sqlite/dialect.ts";
import { NumbersOfAll } from "./numbersOfAll.ts";

const MOST = 100;

let database: DatabaseSync;
let nowMs: number;
let hasRoomFor: (more: number) => Promise<boolean>;
let ofAll: NumbersOfAll;

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec("create table jobs (sent integer, duplicates integer, status text)");
  const db = kyselyOver(database);
  onTestFinished(() => db.destroy());
  nowMs = 0;
  ofAll = new NumbersOfAll(() => nowMs);
  hasRoomFor = (more) => ofAll.hasRoomFor(db, more, MOST);
});

function list(sent: number, duplicates: number, status = "queued"): void {
  database.prepare("insert into jobs values (?, ?, ?)").run(sent, duplicates, status);
}

it("holds what lists hold against the bound: each number once, and none of a list that was cancelled", async () => {
  list(70, 10);
  list(1_000, 0, "cancelled");
  expect(await hasRoomFor(40)).toBe(true);
  expect(await hasRoomFor(41)).toBe(false);
});

it("counts what is added here without looking at every list again", async () => {
  expect(await hasRoomFor(60)).toBe(true);
  ofAll.added(60);
  // Who looked at the lists would find none.
  expect(await hasRoomFor(40)).toBe(true);
  database.exec("drop table jobs");
  expect(await hasRoomFor(40)).toBe(true);
  await expect(hasRoomFor(41)).rejects.toThrow("no such table");
});

it("refuses nobody by a sum of before, and takes what other nodes added into account within half a minute", async () => {
  expect(await hasRoomFor(100)).toBe(true);
  ofAll.added(100);
  // It was deleted meanwhile, or its transaction undone.
  expect(await hasRoomFor(1)).toBe(true);
  list(100, 0);
  nowMs += 29_999;
  expect(await hasRoomFor(1)).toBe(true);
  nowMs += 1;
  expect(await hasRoomFor(1)).toBe(false);
});
