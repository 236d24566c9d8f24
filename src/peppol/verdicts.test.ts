import { beforeEach, describe, expect, it } from "vitest";
import type { KvkNumber } from "../contract/numbers.ts";
import type { PeppolResult } from "./client.ts";
import type { StoredPeppol } from "./queries.ts";
import { PeppolVerdicts } from "./verdicts.ts";

const NUMBER = "90001001" as KvkNumber;
const [BY_KVK, BY_VAT] = ["0106:90001001", "9944:NL900010013B01"];
const NOW_MS = Date.parse("2026-05-05T12:00:00.000Z");
const DAY_MS = 86_400_000;
const SMP = "smp.fabel.example";

const registered = (...receives: string[]): PeppolResult => ({
  kind: "registered",
  receives,
  accessPoint: SMP,
});
const NO: PeppolResult = { kind: "not-registered" };
const BUSY: PeppolResult = { kind: "busy" };
const SILENT: PeppolResult = {
  kind: "no-answer",
  reason: "DNS_FAILED",
  scope: "zone",
  isFromUpstream: false,
};

let nowMs: number;
let asked: string[];
let ids: string[];
let results: Record<string, PeppolResult[]>;
let hasRegistry: boolean;
let rows: Map<string, StoredPeppol>;
let verdicts: PeppolVerdicts;

/** Each identifier gives its results in turn, the last one from then on. */
function ask(participantId: string): Promise<PeppolResult> {
  asked.push(participantId);
  const left = results[participantId] ?? [];
  return Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? SILENT);
}

beforeEach(() => {
  nowMs = NOW_MS;
  asked = [];
  ids = [BY_KVK];
  results = {};
  hasRegistry = true;
  rows = new Map();
  verdicts = open();
});

function open(): PeppolVerdicts {
  return new PeppolVerdicts({
    store: {
      findPeppol: async (numbers) => numbers.map((number) => rows.get(number) ?? null),
      storePeppol: async (number, answer) => void rows.set(number, answer),
    },
    client: { ask },
    participantsOf: () => ids,
    hasRegistry: () => hasRegistry,
    now: () => nowMs,
  });
}

/** As a lookup does. */
const check = async () => (await verdicts.stored(NUMBER)) ?? (await verdicts.fromNetwork(NUMBER));

describe("a verdict", () => {
  it.each<[string, string[], Record<string, PeppolResult>, string, string[], string?]>([
    [
      "invoices by KVK number",
      [BY_KVK, BY_VAT],
      { [BY_KVK]: registered("invoice") },
      "reachable",
      [BY_KVK],
      BY_KVK,
    ],
    [
      "the VAT number after a no",
      [BY_KVK, BY_VAT],
      { [BY_KVK]: NO, [BY_VAT]: registered("invoice") },
      "reachable",
      [BY_KVK, BY_VAT],
      BY_VAT,
    ],
    [
      "the VAT number after orders alone",
      [BY_KVK, BY_VAT],
      { [BY_KVK]: registered("order"), [BY_VAT]: registered("invoice") },
      "reachable",
      [BY_KVK, BY_VAT],
      BY_VAT,
    ],
    [
      "orders alone, and no VAT number there",
      [BY_KVK, BY_VAT],
      { [BY_KVK]: registered("order"), [BY_VAT]: NO },
      "cannot_receive_invoices",
      [BY_KVK, BY_VAT],
      BY_KVK,
    ],
    [
      "orders under both",
      [BY_KVK, BY_VAT],
      { [BY_KVK]: registered("order"), [BY_VAT]: registered() },
      "cannot_receive_invoices",
      [BY_KVK, BY_VAT],
      BY_KVK,
    ],
    [
      "credit notes alone",
      [BY_KVK],
      { [BY_KVK]: registered("credit_note") },
      "cannot_receive_invoices",
      [BY_KVK],
      BY_KVK,
    ],
    ["a no to both", [BY_KVK, BY_VAT], { [BY_KVK]: NO, [BY_VAT]: NO }, "not_registered", [BY_KVK, BY_VAT]],
    ["a no to the only one", [BY_KVK], { [BY_KVK]: NO }, "not_registered", [BY_KVK]],
  ])("follows from %s", async (_, own, answers, status, expected, participantId) => {
    ids = own;
    for (const [id, answer] of Object.entries(answers)) results[id] = [answer];
    const verdict = await check();
    expect(verdict).toMatchObject({ status, asked: expected, checkedAt: new Date(NOW_MS).toISOString() });
    expect(verdict).toEqual({
      ...(verdict as object),
      ...(participantId && { participantId, accessPoint: SMP }),
    });
    expect(Object.hasOwn(verdict as object, "receives")).toBe(participantId !== undefined);
    expect(asked).toEqual(expected);
  });

  it.each<[string, Record<string, PeppolResult>, string]>([
    ["of the first", { [BY_KVK]: SILENT, [BY_VAT]: NO }, "no-answer"],
    ["of the second after a no", { [BY_KVK]: NO, [BY_VAT]: SILENT }, "no-answer"],
    ["of the second after orders", { [BY_KVK]: registered("order"), [BY_VAT]: SILENT }, "no-answer"],
    ["because others wait", { [BY_KVK]: NO, [BY_VAT]: BUSY }, "busy"],
  ])("is missing without an answer %s, and nothing is stored", async (_, answers, expected) => {
    ids = [BY_KVK, BY_VAT];
    for (const [id, answer] of Object.entries(answers)) results[id] = [answer];
    expect(await check()).toBe(expected);
    expect(rows.size).toBe(0);
  });

  it("is used for a day, then asked again, and used for 30 days while the network is silent", async () => {
    results[BY_KVK] = [registered("invoice"), SILENT];
    await check();
    nowMs += DAY_MS - 1;
    expect(await check()).not.toHaveProperty("ageSeconds");
    expect(asked).toHaveLength(1);
    nowMs += 1;
    expect(await check()).toMatchObject({ status: "reachable", ageSeconds: 86_400 });
    nowMs = NOW_MS + 30 * DAY_MS - 1;
    expect(await check()).toMatchObject({ status: "reachable", ageSeconds: 30 * 86_400 - 1 });
    nowMs += 1;
    expect(await check()).toBe("no-answer");
    nowMs = NOW_MS - 2 * DAY_MS;
    expect(await check()).toMatchObject({ ageSeconds: 2 * 86_400 });
  });

  it("is shared by everyone who waits, and by other processes", async () => {
    results[BY_KVK] = [registered("invoice")];
    const all = await Promise.all(Array.from({ length: 20 }, check));
    expect(asked).toHaveLength(1);
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    verdicts = open();
    expect(await check()).toEqual(all[0]);
    expect(asked).toHaveLength(1);
  });

  it("believes that a registration is gone after a second no only", async () => {
    results[BY_KVK] = [registered("invoice"), NO, registered("invoice"), NO, SILENT, NO, NO];
    await check();
    const later = () => {
      nowMs += 2 * DAY_MS;
      return check();
    };
    expect(await later()).toMatchObject({ status: "reachable" });
    expect(await later()).toMatchObject({ status: "reachable", ageSeconds: 2 * 86_400 });
    expect(await later()).toMatchObject({ status: "not_registered" });
    expect(asked).toHaveLength(7);
  });

  it("never shows an earlier answer about a VAT number that may no longer be asked", async () => {
    ids = [BY_KVK, BY_VAT];
    results[BY_KVK] = [NO, SILENT];
    results[BY_VAT] = [registered("invoice")];
    expect(await check()).toMatchObject({ participantId: BY_VAT });
    ids = [BY_KVK];
    expect(await check()).toBe("no-answer");
  });

  it("does not change because the registry is not there yet, nor stays without a VAT number that is known since", async () => {
    ids = [BY_KVK, BY_VAT];
    results[BY_KVK] = [NO];
    results[BY_VAT] = [registered("invoice")];
    await check();
    [ids, hasRegistry, nowMs] = [[BY_KVK], false, nowMs + 2 * DAY_MS];
    expect(await check()).toBe("no-answer");
    expect(rows.get(NUMBER)).toMatchObject({ status: "reachable" });
    hasRegistry = true;
    expect(await check()).toMatchObject({ status: "not_registered", asked: [BY_KVK] });
    ids = [BY_KVK, BY_VAT];
    expect(await check()).toMatchObject({ status: "reachable", asked: ids });
  });

  it("does not keep a caller waiting for a network that hangs", async () => {
    verdicts = new PeppolVerdicts({
      store: { findPeppol: async () => [null], storePeppol: async () => {} },
      client: { ask: () => new Promise(() => {}) },
      participantsOf: () => ids,
      hasRegistry: () => true,
      now: () => nowMs,
      deadlineMs: 20,
    });
    expect(await check()).toBe("no-answer");
  });
});
