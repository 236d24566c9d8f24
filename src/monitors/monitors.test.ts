import { expect, it } from "vitest";
import { type KvkNumber, kvkNumberOf } from "../contract/numbers.ts";
import { Monitors, type MonitorsParts } from "./monitors.ts";
import type { AddedMonitor, MonitorOwner } from "./stored.ts";
import type { Baseline } from "./types.ts";

const [KNOWN, OTHER, UNKNOWN, SUPPRESSED, LATE] = [1, 2, 3, 4, 5].map((nth) =>
  kvkNumberOf(60_000_000 + nth),
) as [KvkNumber, KvkNumber, KvkNumber, KvkNumber, KvkNumber];
const OWNER = { accountId: "acc_1", keyId: "key_1" };
const CALLER = { ...OWNER, tierName: "starter" };
const TIERS = { starter: { monthlyTokens: 1_000, ratePerMinute: 60, maxMonitors: 7 } };

const baseline = (kvkNumber: KvkNumber): Baseline => ({
  ...{ kvkNumber, origin: "gleif", asOfMs: 1, serialMs: 1, format: 1, fields: { name: "Fabel" } },
});

const allOver = Object.fromEntries(
  [KNOWN, OTHER, UNKNOWN, SUPPRESSED].map((number) => [number, "limit" as const]),
);

/** Operations over a store in memory that has one answer for each number. */
function stage(
  answers: Readonly<Record<string, AddedMonitor>> = {},
  count = 0,
  { hasLiveSource = false, hasSnapshot = true } = {},
) {
  const calls: string[] = [];
  const added: Parameters<MonitorsParts["store"]["addMonitors"]>[] = [];
  let pending = 0;
  const unused = () => Promise.reject(new Error("not used"));
  const monitors = new Monitors({
    store: {
      addMonitors: async (...parameters) => {
        calls.push("add");
        added.push(parameters);
        const [owner, numbers, ids] = parameters;
        return numbers.map(
          (kvkNumber, index) =>
            answers[kvkNumber] ?? {
              ...owner,
              id: ids[index] ?? "",
              kvkNumber,
              createdAtMs: 1,
              comparisons: [],
            },
        );
      },
      countMonitors: async () => count,
      monitors: unused,
      monitor: unused,
      changeMonitor: unused,
      removeMonitor: unused,
      monitorAccount: unused,
      setMonitorAccount: async () => {},
      markEventsRead: unused,
      showCompanies: unused,
      events: unused,
      latestEvents: unused,
      event: unused,
      redeliver: unused,
      addTestEvent: async (_owner: MonitorOwner, { monitorId }) => monitorId === "mon_1",
      webhookStatuses: unused,
    },
    observer: {
      observe: async (kvkNumbers) => calls.push(`observe ${kvkNumbers.length}`),
      baselinesOf: async (kvkNumbers) => {
        calls.push("read baselines");
        return kvkNumbers.filter((kvkNumber) => kvkNumber !== UNKNOWN).map(baseline);
      },
    },
    tiers: TIERS,
    suppressed: { size: 1, has: (kvkNumber) => kvkNumber === SUPPRESSED },
    companies: { fromStore: unused, hasLiveSource, hasSnapshot },
    service: { sources: () => [], retentionDays: 90, liveFigures: unused },
    webhookNetworks: [],
    onPending: () => {
      pending += 1;
    },
  });
  return { monitors, calls, added, pending: () => pending };
}

it("adds monitors in the order of the numbers, with the reasons of those that have none", async () => {
  const { monitors } = stage({ [OTHER]: "limit", [LATE]: "suppressed" });
  const sent = [UNKNOWN, KNOWN, "123", SUPPRESSED, OTHER, KNOWN, LATE];
  const added = await monitors.add(CALLER, sent, {});
  const results = (added as Exclude<typeof added, string>).map((one) =>
    "monitor" in one ? one.monitor.kvkNumber : [one.kvkNumber, one.error.code],
  );
  expect(results).toEqual([
    [UNKNOWN, "NOT_FOUND"],
    KNOWN,
    ["123", "INVALID_KVK_NUMBER"],
    [SUPPRESSED, "NOT_FOUND"],
    [OTHER, "FORBIDDEN"],
    KNOWN,
    [LATE, "FORBIDDEN"],
  ]);
});

it.each([
  ["with a live source", { hasLiveSource: true, hasSnapshot: false }, "NOT_FOUND", /: look it up first/],
  ["with a registry alone", {}, "NOT_FOUND", / is known here$/],
  ["with neither", { hasSnapshot: false }, "SERVICE_UNAVAILABLE", /no company registry yet/],
])("answers for an unknown company %s", async (_, sources, code, message) => {
  const { monitors } = stage({}, 0, sources);
  const error = expect.objectContaining({ code, message: expect.stringMatching(message) });
  expect(await monitors.add(CALLER, [UNKNOWN], {})).toEqual([{ kvkNumber: UNKNOWN, error }]);
});

it("does not show which companies are known when another call takes the last place", async () => {
  const { monitors } = stage({ [KNOWN]: "limit", [OTHER]: "limit" }, 6);
  const added = await monitors.add(CALLER, [KNOWN, UNKNOWN, SUPPRESSED, OTHER], {});
  expect(added).toEqual(
    [KNOWN, UNKNOWN, SUPPRESSED, OTHER].map((kvkNumber) => ({
      kvkNumber,
      error: expect.objectContaining({ code: "FORBIDDEN" }),
    })),
  );
});

it("reports to monitors that exist, then reads baselines, then adds the new ones with them", async () => {
  const { monitors, calls, added } = stage();
  await monitors.add(CALLER, [KNOWN, OTHER, UNKNOWN], { events: null });
  expect(calls).toEqual(["observe 3", "read baselines", "add"]);
  expect(added).toEqual([
    [
      OWNER,
      [KNOWN, OTHER],
      [expect.stringMatching(/^mon_[0-9A-Za-z]{22}$/), expect.stringMatching(/^mon_/)],
      { events: null },
      [baseline(KNOWN), baseline(OTHER)],
      7,
    ],
  ]);
});

it("checks the URLs of webhooks", () => {
  const { monitors } = stage();
  expect(monitors.problemOfWebhook("https://example.com/hook")).toBeUndefined();
  expect(monitors.problemOfWebhook("https://10.0.0.1/hook")).toMatch(/^must /);
});

it("sends tests, and delivers changes that a higher cap allows at once", async () => {
  const { monitors, pending } = stage();
  expect(await monitors.test(OWNER, "mon_2")).toBe(false);
  await monitors.setAccount("acc_1", { hasDigest: false });
  expect(pending()).toBe(0);
  expect(await monitors.test(OWNER, "mon_1")).toMatch(/^evt_[0-9A-Za-z]{22}$/);
  await monitors.setAccount("acc_1", { maxTokens: null });
  expect(pending()).toBe(1);
});

it.each([
  ["no place", 7, [], ["FORBIDDEN", "FORBIDDEN", "INVALID_KVK_NUMBER", "FORBIDDEN", "FORBIDDEN"]],
  [
    "more monitors than places",
    9,
    [],
    ["FORBIDDEN", "FORBIDDEN", "INVALID_KVK_NUMBER", "FORBIDDEN", "FORBIDDEN"],
  ],
  [
    "one place",
    6,
    ["observe 3", "read baselines"],
    ["NOT_FOUND", "added", "INVALID_KVK_NUMBER", "FORBIDDEN", "FORBIDDEN"],
  ],
] as const)(
  "with %s the errors do not show which companies are known",
  async (_name, count, lookups, codes) => {
    const { monitors, calls, added } = stage(count === 6 ? { [OTHER]: "limit" } : allOver, count);
    const results = await monitors.add(CALLER, [UNKNOWN, KNOWN, "123", SUPPRESSED, OTHER], {});
    expect(
      (results as Exclude<typeof results, string>).map((one) => ("error" in one ? one.error.code : "added")),
    ).toEqual(codes);
    expect(calls).toEqual([...lookups, "add"]);
    // Without a place no monitor is added, even if one is removed meanwhile.
    expect(added[0]?.[5]).toBe(count === 6 ? 7 : 0);
  },
);
