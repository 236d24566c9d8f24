/** A simple in-memory model of monitors: the events that each account must get, in which order, and their cost. */
import type { EventType } from "../../src/contract/eventTypes.ts";
import { maxMonitorsOf } from "../../src/contract/monitors.ts";
import { TIERS } from "../kit/stores/fixture.ts";

/** Texts that mean the same: only the first of each line is another value. */
export const SPELLINGS: readonly (readonly string[])[] = [
  ["Fabel & Zn. B.V.", "Fabel en Zonen BV", "FABEL EN ZOON", "Fábel & Zoon"],
  ["Sprookje", "Sprookje B.V.", "SPROOKJE"],
  ["Stichting Sage", "Sage", "SAGE"],
  ["Markt", "MARKT"],
  ["Burgemeester Havenstraat", "Burg. Havenstr."],
  ["'s-Gravenhage", "Den Haag", "The Hague"],
  ["Leiden", "LEIDEN"],
];

/** The facts of one origin about one company. Without a street the address is shielded. */
export interface Facts {
  readonly name: string;
  readonly isActive: boolean;
  readonly street?: string | undefined;
  readonly city: string;
}

export interface Seen {
  readonly origin: string;
  readonly asOfMs: number;
  /** Absent for answers of the live source. */
  readonly serialMs?: number;
  readonly facts: Facts;
}

interface Known extends Required<Seen> {
  readonly isHidden: boolean;
  /** When the origin first said what it says, for each changed field. */
  readonly since: Readonly<Record<string, number>>;
}

export interface ExpectedEvent {
  readonly type: EventType;
  readonly company: string;
  readonly monitorId: string | undefined;
  changes: unknown;
  /** The step of the history that caused it. */
  readonly step: number;
}

export interface ModelMonitor {
  readonly id: string;
  readonly company: string;
  readonly types: readonly EventType[] | undefined;
  readonly createdAtMs: number;
}

export class ModelAccount {
  tierName = "small";
  isSuspended = false;
  maxTokens = Number.POSITIVE_INFINITY;
  used = 0;
  monitors: ModelMonitor[] = [];
  pending: ExpectedEvent[] = [];
  events: ExpectedEvent[] = [];

  get limit(): number {
    return maxMonitorsOf(TIERS[this.tierName]);
  }

  /** The changes that may be delivered now, as far as the tokens suffice. */
  get deliverable(): ExpectedEvent[] {
    if (this.isSuspended) return [];
    const byAge = [...this.monitors].sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
    const paused = new Set(byAge.slice(this.limit).map(({ id }) => id));
    return this.pending.filter(({ monitorId }) => monitorId === undefined || !paused.has(monitorId));
  }

  get tokensLeft(): number {
    return Math.min(TIERS[this.tierName]?.monthlyTokens ?? 0, this.maxTokens) - this.used;
  }

  /** The type of the last event about whether a company is active. */
  lastStatus(company: string): EventType | undefined {
    return this.events.findLast((event) => event.company === company && STATUSES.includes(event.type))?.type;
  }

  /** A recorded event. Free ones come at any time, others oldest first. */
  deliver(type: EventType, company: string, changes: unknown): void {
    const text = sortedJson(changes);
    const { deliverable } = this;
    const event = deliverable.find(
      (one) => one.type === type && one.company === company && sortedJson(one.changes) === text,
    );
    if (event === undefined) throw new Error(`no such change was expected: ${type} of ${company}: ${text}`);
    const isFree = type === "monitor.ended";
    const isOldest = deliverable.every((other) => other.type === "monitor.ended" || other.step >= event.step);
    if (!isFree && !isOldest) throw new Error(`${type} of ${company} was delivered before older changes`);
    if (!isFree && this.tokensLeft < 1) throw new Error(`${type} of ${company} was not paid`);
    this.pending = this.pending.filter((one) => one !== event);
    this.events.push(event);
    if (!isFree) this.used += 1;
  }
}

export class MonitorModel {
  readonly accounts: readonly ModelAccount[];
  readonly #known = new Map<string, Map<string, Known>>();

  constructor(accounts: number) {
    this.accounts = Array.from({ length: accounts }, () => new ModelAccount());
  }

  isMonitored(company: string): boolean {
    return this.accounts.some(({ monitors }) => monitors.some((monitor) => monitor.company === company));
  }

  /** Whether a company was seen since it has had a monitor. */
  isKnown(company: string): boolean {
    return this.#known.has(company);
  }

  /** Compares a company with what was known, and expects an event for each monitor that wants it. */
  observe(company: string, seen: readonly Seen[], step: number): void {
    if (!this.isMonitored(company)) return;
    const known = this.#known.get(company) ?? new Map<string, Known>();
    this.#known.set(company, known);
    const [wasActive, origins] = [freshest(known)?.facts.isActive, new Set(known.keys())];
    const isShielded = shields(known, seen);
    if (isShielded) this.#hide(company, known);
    for (const one of newest(known, seen)) {
      const facts = isShielded ? withoutStreet(one.facts) : one.facts;
      const before = known.get(one.origin);
      const changes = before === undefined ? [] : differences(before.facts, facts);
      const since = { all: one.asOfMs, ...before?.since };
      for (const { type, shown } of changes) {
        const isCaughtUp = [...known.values()].some(
          (other) =>
            other.origin !== one.origin &&
            other.asOfMs > (before?.since[type] ?? before?.since["all"] ?? 0) &&
            !differences(other.facts, facts).some((change) => change.type === type) &&
            differences(before?.facts ?? facts, other.facts).some((change) => change.type === type),
        );
        Object.assign(since, { [type]: one.asOfMs });
        if (!isCaughtUp) this.#expect({ type, company, changes: shown, step });
      }
      known.set(one.origin, { ...one, facts, isHidden: one.facts.street === undefined, since });
    }
    const now = freshest(known);
    if (now === undefined || now.facts.isActive === (wasActive ?? true)) return;
    const isFirst = !now.facts.isActive && !origins.has(now.origin);
    this.#expect({ ...statusChange(now.facts.isActive, isFirst), company, step }, wasActive === undefined);
  }

  /** Adds a monitor, which reports an end that its account has not read of. */
  add(account: ModelAccount, monitor: ModelMonitor, seen: readonly Seen[], step: number): void {
    const { company } = monitor;
    const before = account.monitors.find((one) => one.company === company);
    if (before === undefined) this.observe(company, seen, step);
    account.monitors = [...account.monitors.filter((one) => one !== before), monitor];
    this.observe(company, seen, step);
    if (before !== undefined) return;
    const isEnded = freshest(this.#known.get(company) ?? new Map())?.facts.isActive === false;
    const { type, changes } = statusChange(false, true);
    if (!isEnded || account.lastStatus(company) === type || monitor.types?.includes(type) === false) return;
    const isPending = account.pending.some((one) => one.monitorId === monitor.id && one.type === type);
    if (!isPending) account.pending.push({ type, changes, company, monitorId: monitor.id, step });
  }

  /** Ends all monitors of a company and removes its data. */
  forget(company: string, step: number): void {
    this.#known.delete(company);
    for (const account of this.accounts) {
      const isKept = (event: ExpectedEvent) => event.company !== company || event.type === "monitor.ended";
      account.events = account.events.filter(isKept);
      account.pending = account.pending.filter(isKept);
      for (const { id } of account.monitors.filter((monitor) => monitor.company === company)) {
        account.monitors = account.monitors.filter((monitor) => monitor.id !== id);
        account.pending.push({ type: "monitor.ended", company, monitorId: undefined, changes: {}, step });
      }
    }
  }

  remove(account: ModelAccount, id: string): void {
    const company = account.monitors.find((monitor) => monitor.id === id)?.company ?? "";
    account.monitors = account.monitors.filter((monitor) => monitor.id !== id);
    account.pending = account.pending.filter(({ monitorId }) => monitorId !== id);
    if (!this.isMonitored(company)) this.#known.delete(company);
  }

  /** @param isFirstLook whether the account's events may report it already, of a monitor that was removed */
  #expect(change: Omit<ExpectedEvent, "monitorId">, isFirstLook = false): void {
    for (const account of this.accounts) {
      if (isFirstLook && account.lastStatus(change.company) === change.type) continue;
      const { monitors, pending } = account;
      for (const { id, company, types } of monitors) {
        if (company !== change.company || types?.includes(change.type) === false) continue;
        pending.push({ ...change, monitorId: id });
      }
    }
  }

  /** Removes the streets of a company that is shielded now from everything about it. */
  #hide(company: string, known: Map<string, Known>): void {
    if (![...known.values()].some(({ facts }) => facts.street !== undefined)) return;
    for (const [origin, one] of known) known.set(origin, { ...one, facts: withoutStreet(one.facts) });
    for (const { events, pending } of this.accounts) {
      for (const event of [...events, ...pending]) {
        if (event.company !== company || event.type !== "company.moved") continue;
        event.changes = JSON.parse(JSON.stringify(event.changes).replaceAll(/"street":"[^"]*",/g, ""));
      }
    }
  }
}

/** JSON in which the order of names makes no difference. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  );
}

const STATUSES: readonly EventType[] = ["company.deregistered", "company.reactivated"];

/** The event about a company that has ended or is active again; without an earlier value if it was not known. */
function statusChange(isActive: boolean, isFirst: boolean) {
  const type = isActive ? ("company.reactivated" as const) : ("company.deregistered" as const);
  return { type, changes: { isActive: { ...(!isFirst && { previous: !isActive }), current: isActive } } };
}

/** The origin with the newest data, which decides whether the company is active. */
function freshest(known: ReadonlyMap<string, Known>): Known | undefined {
  return [...known.values()].sort((a, b) => b.asOfMs - a.asOfMs || (a.origin < b.origin ? 1 : -1))[0];
}

/** A text that other spellings share. */
function meaningOf(text: string | undefined): string | undefined {
  return SPELLINGS.find((spellings) => spellings.includes(text ?? ""))?.[0] ?? text;
}

function withoutStreet({ street: _, ...facts }: Facts): Facts {
  return facts;
}

/** Whether an origin shields the company by its newest facts. */
function shields(known: ReadonlyMap<string, Known>, seen: readonly Seen[]): boolean {
  const latest = new Map([...known.values()].map((one) => [one.origin, [one.asOfMs, one.isHidden] as const]));
  for (const { origin, asOfMs, facts } of seen) {
    const before = latest.get(origin);
    if (before === undefined || asOfMs >= before[0]) latest.set(origin, [asOfMs, facts.street === undefined]);
  }
  return [...latest.values()].some(([, isHidden]) => isHidden);
}

/** The facts that count, oldest first. */
function newest(known: ReadonlyMap<string, Known>, seen: readonly Seen[]): Required<Seen>[] {
  return seen
    .map((one) => ({ ...one, serialMs: one.serialMs ?? known.get(one.origin)?.serialMs ?? 0 }))
    .filter(({ origin, asOfMs, serialMs }) => {
      const before = known.get(origin);
      if (before === undefined) return true;
      if (asOfMs < before.asOfMs || serialMs < before.serialMs) return false;
      return asOfMs > before.asOfMs || serialMs > before.serialMs;
    })
    .sort((a, b) => a.asOfMs - b.asOfMs || (a.origin < b.origin ? -1 : 1));
}

function differences(before: Facts, now: Facts): { readonly type: EventType; readonly shown: unknown }[] {
  const isOther =
    meaningOf(before.city) !== meaningOf(now.city) ||
    meaningOf(before.street ?? now.street) !== meaningOf(now.street ?? before.street);
  return [
    ...(meaningOf(before.name) === meaningOf(now.name)
      ? []
      : [
          { type: "company.renamed" as const, shown: { name: { previous: before.name, current: now.name } } },
        ]),
    ...(isOther
      ? [
          {
            type: "company.moved" as const,
            shown: { address: { previous: addressOf(before), current: addressOf(now) } },
          },
        ]
      : []),
  ];
}

function addressOf({ street, city }: Facts): object {
  return { ...(street !== undefined && { street }), city };
}
