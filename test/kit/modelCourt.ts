import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Court, CourtAnswer, CourtCase, CourtList, RemovedCase } from "../../src/insolvency/types.ts";

const HOUR_MS = 3_600_000;

interface Held {
  readonly found: CourtCase | "private";
  readonly publication: string;
  changedAtMs: number;
}

/** A court that holds cases in memory, with a clock that tests set. */
export class ModelCourt implements Court {
  nowMs: number;
  /** Changes before this moment are forgotten. */
  historyFromMs = 0;
  isDown = false;
  /** Publications that get no answer. */
  readonly failing = new Set<string>();
  /** The calls so far, `modified MOMENT` and so on. */
  readonly calls: string[] = [];
  /** Called at the start of every call. */
  onCall: (call: string) => unknown = () => {};
  readonly #cases = new Map<string, Held>();
  readonly #removed: (RemovedCase & { readonly atMs: number })[] = [];
  /** Replaces the court's date of a list. */
  extractedAt: string | undefined;

  constructor(nowIso: string) {
    this.nowMs = Date.parse(nowIso);
  }

  /** The present cases, of private persons too. */
  get cases(): readonly CourtCase[] {
    return [...this.#cases.values()].flatMap(({ found }) => (found === "private" ? [] : found));
  }

  /** The day in the court's lists. */
  get day(): string {
    return this.#moment().slice(0, 10);
  }

  /** Adds or replaces a case. */
  put(found: CourtCase): void {
    this.#cases.set(found.id, { found, publication: found.publication, changedAtMs: this.nowMs });
  }

  /** Adds the case of a private person, or makes a case one. */
  putPrivate(id: string, publication: string): void {
    this.#cases.set(id, { found: "private", publication, changedAtMs: this.nowMs });
  }

  /** @param reference a reference in the removal, by default that of the case */
  remove(id: string, reason = "Eindevindbaarheid", reference?: string): void {
    const held = this.#cases.get(id);
    if (held === undefined) throw new Error(`there is no case ${id}`);
    this.#cases.delete(id);
    const caseNumber = id.split(" ")[0] ?? id;
    const publication = reference ?? held.publication;
    this.#removed.push({ caseNumber, publication, reason, atMs: this.nowMs });
  }

  async modifiedSince(moment: string): Promise<CourtAnswer<CourtList<string>>> {
    const items = () =>
      [...this.#cases.values()]
        .filter(({ changedAtMs }) => changedAtMs > Date.parse(moment))
        .map(({ publication }) => publication);
    return this.#list(`modified ${moment}`, moment, items);
  }

  async removedSince(moment: string): Promise<CourtAnswer<CourtList<RemovedCase>>> {
    const items = () =>
      this.#removed
        .filter(({ atMs }) => atMs > Date.parse(moment))
        .map(({ caseNumber, publication, reason }) => ({ caseNumber, publication, reason }));
    return this.#list(`removed ${moment}`, moment, items);
  }

  async caseOf(publication: string, signal: AbortSignal): Promise<CourtAnswer<CourtCase | "private">> {
    await this.#called(`case ${publication}`);
    if (signal.aborted || this.isDown || this.failing.has(publication)) return NO_ANSWER;
    const held = [...this.#cases.values()].find((one) => one.publication === publication);
    return held === undefined ? { kind: "none" } : { kind: "found", value: held.found };
  }

  async #list<Item>(
    call: string,
    moment: string,
    items: () => readonly Item[],
  ): Promise<CourtAnswer<CourtList<Item>>> {
    await this.#called(call);
    if (this.isDown) return NO_ANSWER;
    const isFull = moment === "2012-01-01";
    if (!isFull && Date.parse(moment) < this.historyFromMs) return { kind: "expired" };
    return { kind: "found", value: { items: items(), extractedAt: this.extractedAt ?? this.#moment() } };
  }

  async #called(call: string): Promise<void> {
    this.calls.push(call);
    await this.onCall(call);
  }

  /** As the court writes it. */
  #moment(): string {
    return new Date(this.nowMs + 2 * HOUR_MS).toISOString().replace("Z", "5393+02:00");
  }
}

const NO_ANSWER = { kind: "no-answer", reason: "the court is down" } as const;

/** A case with made-up names; `number` sets it apart from others. */
export function courtCase(number: number, of: Partial<CourtCase> = {}): CourtCase {
  const publication = `16.mne.26.${number}.F.1300.1.26`;
  return {
    id: `F.16/26/${number} mne`,
    caseNumber: `F.16/26/${number}`,
    publication,
    publications: [publication],
    type: "bankruptcy",
    court: "Rechtbank Midden-Nederland",
    isLegalPerson: true,
    kvkNumbers: [kvkNumberOf(number)],
    names: [`Fabel ${number} B.V.`],
    addresses: [{ postalCode: "1234AB", houseNumber: String(number) }],
    since: "2026-01-05",
    curators: [{ name: `mr. A. Fabel-${number}`, city: "Rommeldam", phone: "010-0000000" }],
    ...of,
  };
}

export function kvkNumberOf(number: number): KvkNumber {
  return String(50_000_000 + number) as KvkNumber;
}
