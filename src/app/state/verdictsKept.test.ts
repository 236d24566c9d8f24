import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { TIERS } from "../../../test/kit/stores/fixture.ts";
import { statePath } from "../../database/sqlite/statePath.ts";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import { isVatNumber, parseVatNumber } from "../../vat/numbers/parse.ts";
import { Verdicts } from "../../vat/verdicts/verdicts.ts";
import type { ViesResult } from "../../vat/vies/results.ts";
import { openSqliteState } from "./sqliteState.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-verdicts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HOUR_MS = 3_600_000;
const AWAY: ViesResult = {
  kind: "no-answer",
  reason: "MS_UNAVAILABLE",
  scope: "state",
  isFromUpstream: true,
  isTransient: false,
};

function number(text: string) {
  const parsed = parseVatNumber(text);
  if (!isVatNumber(parsed)) throw new Error("a test needs numbers of the right form");
  return parsed;
}

/** Verdicts with the state in a folder, which follow VIES's current answer. */
async function opened(path: string, nowMs: number, word: ViesResult) {
  const state = await openSqliteState({ path, tiers: TIERS });
  const verdicts = new Verdicts({
    store: state.verdicts,
    ask: async () => word,
    lifetimes: { freshForMs: HOUR_MS, refusalFreshForMs: HOUR_MS / 12, staleForMs: 720 * HOUR_MS },
    deadlineMs: 5_000,
    batchDeadlineMs: 5_000,
    now: () => nowMs,
    confirmAfterMs: 0,
  });
  return { state, verdicts };
}

it("a returned verdict survives reopening the state: first fresh, then stale, then deleted", async () => {
  const path = statePath(folder);
  const nowMs = Date.parse("2026-11-11T11:11:11.000Z");
  const german = number("DE136695976");
  const answer: ViesResult = {
    kind: "answer",
    valid: true,
    validatedAt: "2026-11-11T11:11:10.000Z",
    name: "Made up GmbH",
  };
  const first = await opened(path, nowMs, answer);
  const firstVerdict = await first.verdicts.fromVies(german);
  expect(firstVerdict).toMatchObject({ status: "validated", valid: true, name: "Made up GmbH" });
  await first.state.close();

  const second = await opened(path, nowMs + HOUR_MS, AWAY);
  expect(await second.verdicts.fromStore([german])).toEqual([firstVerdict]);
  await second.state.close();

  const third = await opened(path, nowMs + 720 * HOUR_MS, AWAY);
  expect(await third.verdicts.fromStore([german])).toEqual([undefined]);
  expect(await third.verdicts.fromVies(german)).toMatchObject({
    ...firstVerdict,
    status: "stale",
    ageSeconds: 720 * 3_600 + 1,
  });
  await third.state.close();

  const fourth = await opened(path, nowMs + 720 * HOUR_MS + 1, { ...answer, valid: false });
  expect(await fourth.verdicts.fromVies(number("DE136695978"))).toMatchObject({ valid: false });
  // Storing a verdict has deleted the expired ones before this read.
  expect(await fourth.state.verdicts.findVerdicts([german.vatNumber])).toEqual([null]);
  await fourth.state.close();
  await expect(fourth.verdicts.fromVies(german)).rejects.toBeInstanceOf(StoreUnavailable);
});
