import { describe, expect, it } from "vitest";
import { ADDRESS, KVK } from "../../test/kit/watchedCompany.ts";
import type { CompanyFacts, SourcedFacts } from "../company/facts.ts";
import type { StoredOpenData } from "../kvk/openData/queries.ts";
import type { StoredCompany } from "../kvk/stored.ts";
import { Observer, type ObserverParts } from "./observer.ts";
import type { Baseline, Observation } from "./types.ts";

const DAY_MS = 86_400_000;
const BEGIN_MS = Date.parse("2026-03-01T12:00:00.000Z");
const FACTS: CompanyFacts = { kvkNumber: KVK, name: "Bakkerij Jansen B.V.", isActive: true };

/** One company in a snapshot, in the cache of the live source and in open data, and a store in memory. */
class Stage {
  nowMs = BEGIN_MS;
  snapshot: { facts: readonly SourcedFacts[]; createdAtMs: number } | undefined;
  answer: StoredCompany | null = null;
  record: StoredOpenData | null = null;
  readonly suppressed = new Set<string>();
  baselines = new Map<string, Baseline>();
  readonly recorded: Observation[] = [];
  /** Called before observations are recorded, as if another process were faster. */
  onRecord: (() => void) | undefined;

  readonly observer: Observer;

  constructor({ hasLive = true } = {}) {
    const store: ObserverParts["store"] = {
      monitoredAmong: async (numbers) =>
        numbers.map((kvkNumber) => ({
          kvkNumber: KVK,
          baselines: kvkNumber === KVK ? [...this.baselines.values()] : [],
        })),
      insolvencies: async (numbers) => numbers.map(() => this.record),
      recordObservations: async (observations) => {
        this.onRecord?.();
        for (const observation of observations) {
          const { baseline, replaces } = observation;
          const stored = this.baselines.get(baseline.origin);
          if (stored?.asOfMs !== replaces?.asOfMs || stored?.serialMs !== replaces?.serialMs) continue;
          this.baselines.set(baseline.origin, baseline);
          this.recorded.push(observation);
        }
      },
    };
    const stage = this;
    this.observer = new Observer({
      store,
      registry: {
        get current() {
          const { snapshot } = stage;
          if (snapshot === undefined) return undefined;
          const createdAt = new Date(snapshot.createdAtMs).toISOString();
          return {
            info: {
              number: 1,
              file: "",
              sha256: "",
              bytes: 1,
              companies: 1,
              branches: 0,
              origins: [],
              createdAt,
            },
            originsOf: () => snapshot.facts,
          };
        },
      },
      live: hasLive ? { findCompanies: async (numbers) => numbers.map(() => this.answer) } : undefined,
      suppressed: this.suppressed,
      now: () => this.nowMs,
    });
  }

  /** Imports facts that are dated now. */
  import(facts: Partial<CompanyFacts>, more: Partial<SourcedFacts> = {}): void {
    const asOf = new Date(this.nowMs).toISOString();
    const sourced = { origin: "import:crm", asOf, facts: { ...FACTS, ...facts }, ...more };
    this.snapshot = { facts: [sourced], createdAtMs: this.nowMs };
  }

  answered(facts: Partial<CompanyFacts>, branches: Pick<StoredCompany, "branches" | "branchesAtMs">): void {
    this.answer = { facts: JSON.stringify({ ...FACTS, ...facts }), answeredAtMs: this.nowMs, ...branches };
  }

  /** Observes the company. @returns the types of the changes */
  async observe(): Promise<readonly string[]> {
    const before = this.recorded.length;
    await this.observer.observe([KVK]);
    return this.recorded.slice(before).flatMap(({ changes }) => changes.map(({ type }) => type));
  }
}

const NO_BRANCHES = { branches: null, branchesAtMs: null };

describe("the observer", () => {
  it("finds changes in the snapshot, in answers of the live source and in open data", async () => {
    const stage = new Stage();
    stage.import({});
    stage.answered({}, NO_BRANCHES);
    stage.record = { insolvency: "none", isActive: true, observedAtMs: BEGIN_MS };
    expect(await stage.observe()).toEqual([]);
    expect([...stage.baselines.keys()].sort()).toEqual(["import:crm", "kvk-api", "kvk-open-data"]);
    stage.nowMs += DAY_MS;
    stage.import({ name: "Other" });
    expect(await stage.observe()).toEqual(["company.renamed"]);
    stage.answered({ name: "Third" }, NO_BRANCHES);
    expect(await stage.observe()).toEqual(["company.renamed"]);
    stage.record = { insolvency: "bankruptcy", isActive: true, observedAtMs: stage.nowMs };
    expect(await stage.observe()).toEqual(["company.insolvency_changed"]);
    expect(await stage.observe()).toEqual([]);
  });

  it("compares activities of open data with earlier open data only", async () => {
    const stage = new Stage();
    const [main, side] = [
      { sbiCode: "10710", isMain: true },
      { sbiCode: "56210", isMain: false },
    ];
    const was = { insolvency: "none", isActive: true } as const;
    stage.answered({ activities: [side] }, NO_BRANCHES);
    // As stored before open data had activities.
    stage.record = { ...was, observedAtMs: BEGIN_MS };
    expect(await stage.observe()).toEqual([]);
    const observedAtMs = () => {
      stage.nowMs += DAY_MS;
      return stage.nowMs;
    };
    stage.record = { ...was, activities: [main], startDate: "2010-12-31", observedAtMs: observedAtMs() };
    expect(await stage.observe()).toEqual([]);
    stage.record = { ...was, startDate: "2011-01-01", observedAtMs: observedAtMs() };
    expect(await stage.observe()).toEqual([]);
    stage.record = { ...was, activities: [main, side], observedAtMs: observedAtMs() };
    expect(await stage.observe()).toEqual(["company.activities_changed"]);
    const last = stage.recorded.at(-1);
    expect(last?.baseline.origin).toBe("kvk-open-data");
    const [shownMain, shownSide] = [main, side].map((one) => ({ ...one, sbiVersion: "2025" }));
    expect(last?.changes[0]?.changes).toEqual({
      activities: { previous: [shownMain], current: [shownMain, shownSide] },
    });
  });

  it("finds branches that were requested after the company, at their own date", async () => {
    const stage = new Stage();
    const branch = { branchNumber: "100000000001", isMain: true, isActive: true };
    stage.answered({}, { branches: JSON.stringify([branch]), branchesAtMs: BEGIN_MS });
    await stage.observe();
    const branchesAtMs = BEGIN_MS + DAY_MS;
    const branches = JSON.stringify([branch, { ...branch, branchNumber: "100000000002", isMain: false }]);
    stage.answered({}, { branches, branchesAtMs });
    expect(await stage.observe()).toEqual(["company.branches_changed"]);
    expect(stage.baselines.get("kvk-api")?.asOfMs).toBe(branchesAtMs);
  });

  it("finds the end of a company on its day, from unchanged facts, once", async () => {
    const stage = new Stage();
    stage.import({ deregistrationDate: "2026-03-03" });
    expect(await stage.observe()).toEqual([]);
    stage.nowMs = Date.parse("2026-03-02T23:59:59.000Z");
    expect(await stage.observe()).toEqual([]);
    stage.nowMs = Date.parse("2026-03-03T00:00:00.000Z");
    expect(await stage.observe()).toEqual(["company.deregistered"]);
    stage.nowMs += DAY_MS;
    expect(await stage.observe()).toEqual([]);
    stage.import({ isActive: false, deregistrationDate: "2026-03-03" });
    expect(await stage.observe()).toEqual([]);
  });

  it("ignores the facts of a fund: its number may be that of another company", async () => {
    const stage = new Stage();
    stage.import({ name: "Fabelfonds" }, { isFund: true });
    expect(await stage.observe()).toEqual([]);
    stage.nowMs += DAY_MS;
    stage.import({ name: "Fabelbeheer B.V." });
    expect(await stage.observe()).toEqual([]);
  });

  it("never observes a suppressed company", async () => {
    const stage = new Stage();
    stage.import({});
    stage.suppressed.add(KVK);
    await stage.observe();
    expect(stage.recorded).toEqual([]);
    expect(await stage.observer.baselinesOf([KVK])).toEqual([]);
  });

  it("does not use cached answers without a live source", async () => {
    const stage = new Stage({ hasLive: false });
    stage.answered({}, NO_BRANCHES);
    await stage.observe();
    expect(stage.recorded).toEqual([]);
  });

  it("compares again when another process stored older facts meanwhile", async () => {
    const stage = new Stage();
    stage.import({});
    await stage.observe();
    stage.nowMs += 2 * DAY_MS;
    stage.import({ name: "Third" });
    stage.onRecord = () => {
      stage.onRecord = undefined;
      const stored = stage.baselines.get("import:crm");
      const asOfMs = BEGIN_MS + DAY_MS;
      if (stored !== undefined)
        stage.baselines.set("import:crm", { ...stored, asOfMs, fields: { name: "Second" } });
    };
    expect(await stage.observe()).toEqual(["company.renamed"]);
    expect(stage.recorded.at(-1)?.changes[0]?.changes).toEqual({
      name: { previous: "Second", current: "Third" },
    });
  });

  it("hides an address at once when another process has seen that it is shielded", async () => {
    const stage = new Stage();
    stage.import({ address: ADDRESS });
    stage.answered({ address: ADDRESS }, NO_BRANCHES);
    await stage.observe();
    stage.nowMs += DAY_MS;
    stage.import({ address: { ...ADDRESS, street: "Deegplein" } });
    stage.onRecord = () => {
      stage.onRecord = undefined;
      stage.answered({ address: { kind: "visiting", city: "Amsterdam", isShielded: true } }, NO_BRANCHES);
      const stored = stage.baselines.get("kvk-api");
      const fields = { ...stored?.fields, address: { city: "Amsterdam", isShielded: true } as const };
      if (stored !== undefined) stage.baselines.set("kvk-api", { ...stored, asOfMs: stage.nowMs, fields });
    };
    await stage.observe();
    expect(stage.recorded.at(-1)?.hidesAddress).toBe(true);
    expect(JSON.stringify([...stage.baselines.values()])).not.toMatch(/Deegplein|Korenmolenlaan/);
  });

  it("returns the baselines of companies by what is known now, and none of unknown ones", async () => {
    const stage = new Stage();
    expect(await stage.observer.baselinesOf([KVK])).toEqual([]);
    stage.import({});
    await stage.observe();
    stage.nowMs += DAY_MS;
    stage.import({ name: "Other" });
    expect(await stage.observer.baselinesOf([KVK])).toMatchObject([{ fields: { name: "Other" } }]);
  });
});
