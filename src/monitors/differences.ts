/** Differences between the watched fields of one origin at two times. */
import { areOfOtherVersions } from "../company/activities.ts";
import type { LocatedAddress } from "../company/facts.ts";
import type { ChangeType } from "../contract/eventTypes.ts";
import type { LeiFacts } from "../contract/identifiers.ts";
import { known } from "../lib/values.ts";
import { isSameCity, isSameName, isSameStreet } from "../search/spellings.ts";
import type { WatchedFields } from "./types.ts";

/** Branches of one company that are compared, by number. */
export const MAX_BRANCHES = 300;
/** Branches in one event. */
const MAX_SHOWN_BRANCHES = 100;

type Value<F extends keyof WatchedFields> = NonNullable<WatchedFields[F]>;

/** The values of a changed field that an event shows. */
export interface Difference {
  readonly previous?: unknown;
  readonly current?: unknown;
  readonly reason?: "removed";
}

interface FieldRule<F extends keyof WatchedFields> {
  readonly type: ChangeType;
  /**
   * Returns undefined if both values mean the same.
   * @param own names of the company, before and now
   */
  differ(previous: Value<F>, current: Value<F>, own: readonly string[]): Difference | undefined;
}

/** The fields that origins are compared by; whether a company is active depends on all of them. */
const COMPARED = {
  name: { type: "company.renamed", differ: differUnless(isSameName) },
  statutoryName: { type: "company.renamed", differ: differUnless(isSameName) },
  tradingNames: { type: "company.renamed", differ: differInNames },
  address: { type: "company.moved", differ: differInKnownParts },
  legalForm: { type: "company.legal_form_changed", differ: differBy((form) => form) },
  activities: {
    type: "company.activities_changed",
    differ: differInCodes,
  },
  branchCount: { type: "company.branches_changed", differ: differBy(String) },
  branches: { type: "company.branches_changed", differ: differInBranches },
  identifiers: { type: "company.lei_changed", differ: differInLei },
  peppol: { type: "company.peppol_changed", differ: differBy((status) => status) },
  insolvency: { type: "company.insolvency_changed", differ: differBy((type) => type) },
} satisfies { readonly [F in keyof WatchedFields]?: FieldRule<F> };

export type Field = keyof typeof COMPARED;
const RULES: { readonly [F in Field]: FieldRule<F> } = COMPARED;

export const FIELDS = Object.keys(RULES) as readonly Field[];

export function typeOf(field: Field): ChangeType {
  return RULES[field].type;
}

/** The change of a field. There is none if either value is unknown. */
export function difference<F extends Field>(
  field: F,
  before: WatchedFields,
  now: WatchedFields,
): Difference | undefined {
  const rule: FieldRule<F> = RULES[field];
  const [previous, current] = [before[field], now[field]];
  if (previous === undefined || current === undefined) return undefined;
  const own = [before.name, before.statutoryName, now.name, now.statutoryName];
  return rule.differ(
    previous as Value<F>,
    current as Value<F>,
    own.filter((name) => name !== undefined),
  );
}

/** Compares two values by what a function returns for them. */
function sameBy<T>(textOf: (value: T) => string): (one: T, other: T) => boolean {
  return (one, other) => textOf(one) === textOf(other);
}

function differUnless<T>(isSame: (one: T, other: T) => boolean) {
  return (previous: T, current: T) => (isSame(previous, current) ? undefined : { previous, current });
}

function differBy<T>(textOf: (value: T) => string) {
  return differUnless(sameBy(textOf));
}

/** A new date of renewal is no change. */
function differInLei(previous: LeiFacts, current: LeiFacts): Difference | undefined {
  const isSame =
    previous.lei === current.lei &&
    isSameIfKnown(previous.leiStatus, current.leiStatus, (one, other) => one === other);
  return isSame ? undefined : { previous, current };
}

/** Trading names are a set. One that is also the name or the statutory name of the company says nothing new. */
function differInNames(
  previous: readonly string[],
  current: readonly string[],
  own: readonly string[],
): Difference | undefined {
  const areIn = (names: readonly string[], others: readonly string[]) =>
    names.every((name) => [...others, ...own].some((other) => isSameName(name, other)));
  return areIn(previous, current) && areIn(current, previous) ? undefined : { previous, current };
}

function setOf(texts: readonly string[]): string {
  return JSON.stringify([...new Set(texts)].sort());
}

/** Lists of different versions of the SBI are not compared. Added zeros at the end alone are no change. */
const differInKnownCodes = differBy((activities: Value<"activities">) =>
  setOf(activities.map(({ sbiCode }) => sbiCode.replace(/\D/g, "").replace(/(?<!0)0+$/, ""))),
);

function differInCodes(previous: Value<"activities">, current: Value<"activities">): Difference | undefined {
  return areOfOtherVersions(previous, current) ? undefined : differInKnownCodes(previous, current);
}

type Address = Value<"address">;
const isSameCode = sameBy((code: string) => code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
const PARTS = [
  ["street", isSameStreet],
  ["houseNumber", sameBy(normalNumber)],
  ["postalCode", isSameCode],
  ["city", isSameCity],
  ["country", isSameCode],
] as const;

/** Two addresses differ if a part that both have differs. */
function differInKnownParts(previous: Address, current: Address): Difference | undefined {
  const isOther = PARTS.some(([part, isSame]) => !isSameIfKnown(previous[part], current[part], isSame));
  return isOther ? { previous: shownAddress(previous), current: shownAddress(current) } : undefined;
}

function isSameIfKnown<T>(one: T | undefined, other: T | undefined, isSame: (one: T, other: T) => boolean) {
  return one === undefined || other === undefined || isSame(one, other);
}

/** `17-2` for `17 - 2`, and `17m` for `17 M` and `17-M`: only between digits does a separator count. */
function normalNumber(houseNumber: string): string {
  const separated = houseNumber.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return separated.replace(/(?<!\d)-|-(?!\d)/g, "");
}

/** Events report neither whether an address is shielded nor where it is. */
function shownAddress({
  isShielded: _isShielded,
  geo: _geo,
  ...shown
}: LocatedAddress): Omit<Address, "isShielded"> {
  return shown;
}

type Branch = Value<"branches">[number];

/** The branches that were added, removed or changed. */
function differInBranches(previous: readonly Branch[], current: readonly Branch[]): Difference | undefined {
  const [before, now] = [byNumber(previous), byNumber(current)];
  // Branches after the end of a cut list are unknown.
  const last = [endOf(previous), endOf(current)].sort()[0] ?? "";
  const changed = [...new Set([...before.keys(), ...now.keys()])]
    .filter((number) => number <= last && isOtherBranch(before.get(number), now.get(number)))
    .sort()
    .slice(0, MAX_SHOWN_BRANCHES);
  if (changed.length === 0) return undefined;
  const shown = (branches: ReadonlyMap<string, Branch>) =>
    changed.flatMap((number) => branches.get(number) ?? []);
  return { previous: shown(before), current: shown(now) };
}

function byNumber(branches: readonly Branch[]): ReadonlyMap<string, Branch> {
  return new Map(branches.map((branch) => [branch.branchNumber, branch]));
}

/** The last number that a list can have. */
function endOf(branches: readonly Branch[]): string {
  return branches.length < MAX_BRANCHES ? "~" : (branches.at(-1)?.branchNumber ?? "~");
}

function isOtherBranch(before: Branch | undefined, now: Branch | undefined): boolean {
  if (before === undefined || now === undefined) return true;
  return (
    !isSameIfKnown(before.name, now.name, isSameName) || !isSameIfKnown(before.city, now.city, isSameCity)
  );
}

/** The current fields. A field that has become unknown has its last known value, except a case of the court. */
export function latestKnown(before: WatchedFields, now: WatchedFields): WatchedFields {
  // An active company without a date of deregistration has none.
  const { deregistrationDate, insolvencyCase: _, ...lasting } = before;
  const merged = {
    ...lasting,
    ...(now.isActive !== true && known("deregistrationDate", deregistrationDate)),
    ...now,
  };
  const [address, branches] = [latestAddress(before, now), latestBranches(before, now)];
  return { ...merged, ...known("address", address), ...known("branches", branches) };
}

/** Parts of two addresses are never mixed. */
function latestAddress(before: WatchedFields, now: WatchedFields): Address | undefined {
  if (before.address === undefined || now.address === undefined) return now.address ?? before.address;
  const isSame = difference("address", before, now) === undefined;
  const isShown = before.address.isShielded !== true && now.address.isShielded !== true;
  return isSame && isShown ? { ...before.address, ...now.address } : now.address;
}

function latestBranches(before: WatchedFields, now: WatchedFields): readonly Branch[] | undefined {
  const earlier = byNumber(before.branches ?? []);
  return (
    now.branches?.map((branch) => ({ ...earlier.get(branch.branchNumber), ...branch })) ?? before.branches
  );
}
