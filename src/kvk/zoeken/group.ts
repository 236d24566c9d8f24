import { known } from "../../lib/values.ts";
import type { LiveHit } from "../liveSource.ts";
import type { ZoekenRow } from "./wire.ts";

/** Which row speaks for a company: KVK's order of rows has changed without notice. */
const SPEAKS_FIRST = ["hoofdvestiging", "rechtspersoon", "nevenvestiging"];

/** One hit a company, in the order in which companies came first. */
export function groupRows(rows: readonly ZoekenRow[]): readonly LiveHit[] {
  return [...Map.groupBy(rows, ({ kvkNummer }) => kvkNummer).values()].flatMap(hitOf);
}

function hitOf(rows: readonly ZoekenRow[]): LiveHit[] {
  const sorted = rows.toSorted((a, b) => rankOf(a) - rankOf(b));
  const [first] = sorted;
  if (first === undefined) return [];
  const adres =
    sorted.find((row) => row.adres?.isBezoekadres)?.adres ?? sorted.find((row) => row.adres)?.adres;
  const formerName = sorted.find(({ vervallenNaam }) => vervallenNaam !== undefined)?.vervallenNaam;
  return [
    {
      kvkNumber: first.kvkNummer,
      name: first.naam,
      ...known("city", adres?.plaats),
      isActive: isActive(sorted, first),
      ...known("formerName", formerName === first.naam ? undefined : formerName),
    },
  ];
}

/** Ended companies are told apart from those that have closed a branch: the row that speaks for it decides. */
function isActive(sorted: readonly ZoekenRow[], first: ZoekenRow): boolean {
  return first.actief ?? sorted.every(({ actief }) => actief !== false);
}

function rankOf({ type = "" }: ZoekenRow): number {
  const rank = SPEAKS_FIRST.indexOf(type);
  return rank === -1 ? SPEAKS_FIRST.length : rank;
}
