import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backupsIn, deleteOld, stemAt } from "./kept.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-05-31T12:00:00.000Z");
const OURS = "ours";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opzoek-kept-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Files of a backup that is so many days old. */
function backup(daysAgo: number, { source = OURS, isSound = true, bytes = 3 } = {}): string {
  const atMs = NOW_MS - daysAgo * DAY_MS;
  const stem = stemAt(atMs);
  const described = { source, at: new Date(atMs).toISOString(), bytes, sha256: "", isSound, version: "1" };
  writeFileSync(join(folder, `${stem}.sqlite`), "abc");
  writeFileSync(join(folder, `${stem}.two-factor.key`), "key");
  writeFileSync(join(folder, `${stem}.json`), JSON.stringify(described));
  return stem;
}

const left = () => backupsIn(folder).map(({ stem }) => stem);

it("so many of the newest are kept, with all their files, and of the older ones nothing is left", () => {
  const [third, second, first] = [backup(30), backup(20), backup(10)];
  expect(deleteOld(folder, OURS, { keep: 2 }, NOW_MS)).toEqual([third]);
  expect(left()).toEqual([first, second]);
  expect(readdirSync(folder).filter((name) => name.startsWith(third))).toEqual([]);
});

it("by days, and by both while either says so", () => {
  const stems = [10, 20, 30, 40].map((days) => backup(days));
  expect(deleteOld(folder, OURS, { keepDays: 35 }, NOW_MS)).toEqual([stems[3]]);
  expect(deleteOld(folder, OURS, { keep: 1, keepDays: 25 }, NOW_MS)).toEqual([stems[2]]);
  expect(deleteOld(folder, OURS, {}, NOW_MS)).toEqual([]);
  expect(left()).toEqual([stems[0], stems[1]]);
});

it("the last good one stays, however old: newer ones that are not sound or cut short are none", () => {
  const good = backup(40);
  const [unsound, cut] = [backup(3, { isSound: false }), backup(2, { bytes: 4 })];
  expect(deleteOld(folder, OURS, { keep: 1 }, NOW_MS)).toEqual([unsound]);
  expect(left()).toEqual([cut, good]);
});

it("without a good one nothing is deleted", () => {
  const stems = [backup(2, { isSound: false }), backup(3, { isSound: false })];
  expect(deleteOld(folder, OURS, { keep: 1 }, NOW_MS)).toEqual([]);
  expect(left()).toEqual(stems);
});

it("what another made is not touched: other services' backups, and files that look like ones", () => {
  const others = [backup(50, { source: "another" })];
  for (const name of [
    "state-20200101T000000.000Z.sqlite",
    "state.sqlite",
    "notes.json",
    "state-20200101T000000.000Z.json",
  ]) {
    writeFileSync(join(folder, name), "{}");
  }
  const before = readdirSync(folder);
  const mine = backup(1);
  backup(60);
  deleteOld(folder, OURS, { keep: 1 }, NOW_MS);
  expect(left()).toEqual([mine, ...others]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
});
