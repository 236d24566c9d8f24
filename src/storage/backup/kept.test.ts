import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backupsIn, deleteOld, type Retention, stemAt } from "./kept.ts";

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

/** Of this DATA_DIR, after a backup that is described. */
const deleted = (made: string, retention: Retention) =>
  deleteOld(folder, { source: OURS, made }, retention, NOW_MS).deleted;
const left = () => backupsIn(folder).map(({ stem }) => stem);

it("so many of the newest are kept, with all their files, and of the older ones nothing is left", () => {
  const [third, second, first] = [backup(30), backup(20), backup(10)];
  expect(deleted(first, { keep: 2 })).toEqual([third]);
  expect(left()).toEqual([first, second]);
  expect(readdirSync(folder).filter((name) => name.startsWith(third))).toEqual([]);
});

it("by days, and by both while either says so", () => {
  const stems = [10, 20, 30, 40].map((days) => backup(days));
  expect(deleted(stems[0] ?? "", { keepDays: 35 })).toEqual([stems[3]]);
  expect(deleted(stems[0] ?? "", { keep: 1, keepDays: 25 })).toEqual([stems[2]]);
  expect(deleted(stems[0] ?? "", {})).toEqual([]);
  expect(left()).toEqual([stems[0], stems[1]]);
});

it("the last good one stays, however old: newer ones that are not sound or cut short are none", () => {
  const good = backup(40);
  const [unsound, cut] = [backup(3, { isSound: false }), backup(2, { bytes: 4 })];
  expect(deleted(cut, { keep: 1 })).toEqual([unsound]);
  expect(left()).toEqual([cut, good]);
});

it("without a good one nothing is deleted", () => {
  const stems = [backup(2, { isSound: false }), backup(3, { isSound: false })];
  expect(deleted(stems[0] ?? "", { keep: 1 })).toEqual([]);
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
  deleted(mine, { keep: 1 });
  expect(left()).toEqual([mine, ...others]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
});

it("one of a moment to come, by a clock that was wrong, counts for none, and the one that was just made stays", () => {
  const [older, newest] = [backup(9), backup(1)];
  const ahead = backup(-365);
  expect(deleted(newest, { keep: 1 })).toEqual([older]);
  expect(left()).toEqual([ahead, newest]);
  const madeWithClockBack = backup(20);
  expect(deleted(madeWithClockBack, { keepDays: 3 })).toEqual([]);
});

it("one that cannot be deleted is told with the reason, and keeps none of the others", () => {
  const [third, second, first] = [backup(30), backup(20), backup(10)];
  const deletion = deleteOld(folder, { source: OURS, made: first }, { keep: 1 }, NOW_MS, (_, stem) => {
    if (stem === second) throw new Error("EACCES");
  });
  expect(deletion).toEqual({ deleted: [third], notDeleted: [`${second} (EACCES)`] });
});
