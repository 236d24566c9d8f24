/** The moments at which a service that learns is killed, and the companies that it is told of meanwhile. */
import { createHash } from "node:crypto";
import { IS_THOROUGH } from "../kit/thorough.ts";
import { company } from "./herons.ts";

/** What a service does when it is killed, the thread that does it, and before which of that thread's calls. */
export interface Moment {
  readonly work: keyof typeof DONE_IN;
  readonly call: number;
}

const DONE_IN = {
  /** Keeps in the state what KVK told, and charges for it. */
  keeping: "sqliteThread",
  /** Writes a segment, or merges segments with each other or with the base. */
  learning: "upkeepWorker",
  /** Notes how far it has learned. */
  noting: "main",
  /** Writes layers anew without what must be forgotten. */
  withdrawing: "upkeepWorker",
} as const;
export const WORKS = Object.keys(DONE_IN);

const UPKEEP_DOES = { keeping: "", learning: "learning", noting: "learning", withdrawing: "withdrawing" };

/** What `killedAt.ts` reads. */
export const variablesOf = ({ work, call }: Moment) => ({
  KILL_IN: DONE_IN[work],
  KILL_AT: String(call),
  UPKEEP_DOES: UPKEEP_DOES[work],
});

/** The calls by which a note is written, from the first on: before it is opened, renamed, and made durable. */
const NOTING = [2, 5, 4];

/** Ten groups of five moments. A segment takes some sixty calls, a merge some hundred; a moment that comes after the last call is one after the work. */
const MOMENTS: readonly (readonly Moment[])[] = Array.from({ length: 10 }, (_, group) => {
  // Early and late ones in turn, so that work that was cut is gone on with, and there is something to merge.
  const mixed = (group * 7) % 10;
  const lasts: readonly Moment[] = [
    { work: "learning", call: 99 - 4 * group },
    { work: "withdrawing", call: 30 + 5 * group },
    { work: "noting", call: NOTING[Math.floor(group / 3)] ?? 1 },
  ];
  const last = lasts[group % lasts.length];
  return [
    { work: "learning", call: 3 + 7 * mixed },
    { work: "keeping", call: 1 + 3 * mixed },
    { work: "learning", call: 100 - 7 * mixed },
    { work: "withdrawing", call: 2 + 6 * mixed },
    ...(last === undefined ? [] : [last]),
  ] satisfies readonly Moment[];
});

/** A tenth of them in rotation, so that every kind of work is cut; all of them where they are asked for. */
export const chosen = IS_THOROUGH
  ? MOMENTS.flat()
  : MOMENTS.flatMap((group, at) => (at % 2 === 0 ? (group[at / 2] ?? []) : []));

const BASE = 400;
const RENEWABLE = 60;
const RENEWED = "Vernieuwd";

const baseCompany = (index: number, name: string) =>
  company(String(50_000_000 + index), `${name} ${String(index).padStart(3, "0")} B.V.`);
/** What the operator imported. */
export const base = Array.from({ length: BASE }, (_, index) => baseCompany(index, "Lijst"));
/** What KVK says of some of them by now. */
const renewed = base.slice(0, RENEWABLE).map((_, index) => baseCompany(index, RENEWED));
/** A word for each number, so far from all others that none is found for a misspelling of another. */
const wordOf = (number: number) =>
  createHash("sha256")
    .update(String(number))
    .digest("hex")
    .slice(0, 12)
    .replace(/./g, (digit) => "abdefghlmnoprstu".charAt(Number.parseInt(digit, 16)));

/** Three companies for each life and one more, which a search for their word finds and no search for another one does. */
const colonies = Array.from({ length: MOMENTS.flat().length + 1 }, (_, life) => {
  const word = wordOf(life);
  const members = ["Noord", "Zuid", "West"].map((name, place) =>
    company(String(60_000_000 + 10 * life + place), `${word} ${name} B.V.`),
  );
  return { word, members };
});
export type Colony = (typeof colonies)[number];

export function colonyOf(life: number): Colony {
  const colony = colonies.at(life);
  if (colony === undefined) throw new RangeError("each life has a colony");
  return colony;
}

/** What KVK knows. */
export const atKvk = [...renewed, ...colonies.flatMap(({ members }) => members)];

/** Every name that a company ever had. */
export const namesEver = new Map<string, readonly string[]>(
  Map.groupBy([...base, ...atKvk], ({ kvkNumber }) => String(kvkNumber))
    .entries()
    .map(([number, all]) => [number, all.map(({ name }) => name)]),
);

/** Whether the name of a company of the list is the one that KVK tells. */
export const isRenewed = (name: string) => name.startsWith(RENEWED);
