import type { FactsBranch, LocatedAddress } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { known } from "../lib/values.ts";
import { chooseAdres, mapAdres } from "./address.ts";
import { type Adres, readVestigingen, type Vestiging, type Vestigingen } from "./wire.ts";

/** The company that a list of branches belongs to. */
export interface BranchOwner {
  readonly isActive: boolean;
  /** The main branch from the profile; without it the flag in the list decides. */
  readonly main?: Pick<Vestiging, "vestigingsnummer" | "naam" | "isBeeindigd">;
  /** The address of the main branch from the profile, which is more detailed than the list. */
  readonly mainAddress?: LocatedAddress;
  readonly isMainShielded: boolean;
}

/** Reads a list of branches; undefined when it belongs to another company. */
export function readOwnVestigingen(
  kvkNumber: KvkNumber,
  value: unknown,
  leftOut: Rejection[],
): Vestigingen | undefined {
  const list = readVestigingen(value, leftOut);
  if (list?.kvkNummer === undefined || list.kvkNummer === kvkNumber) return list;
  leftOut.push({ reason: "a list of branches of another company", detail: quoted(list.kvkNummer) });
  return undefined;
}

/** Whether a list shields the main branch; its address is then hidden everywhere. */
export function showsMainAsShielded(
  vestigingen: readonly Vestiging[],
  mainNumber: string | undefined,
): boolean {
  return vestigingen.some((vestiging) => vestiging.isAfgeschermd && isMain(vestiging, mainNumber));
}

/** The branches of a list, the main branch first (added if missing), and their number. */
export function branchesOf(
  owner: BranchOwner,
  read: Vestigingen,
  leftOut: Rejection[],
): { list: readonly FactsBranch[]; count: number } {
  const { main, isMainShielded } = owner;
  const byNumber = new Map<string, FactsBranch>();
  const itself = main && { ...main, indHoofdvestiging: true, isAfgeschermd: isMainShielded, adressen: [] };
  for (const vestiging of [...read.vestigingen, ...(itself === undefined ? [] : [itself])]) {
    const { vestigingsnummer: branchNumber } = vestiging;
    if (branchNumber === undefined || byNumber.has(branchNumber)) continue;
    const isMainBranch = isMain(vestiging, main?.vestigingsnummer);
    const isShielded = vestiging.isAfgeschermd || (isMainBranch && isMainShielded);
    const ownAddress = isMainBranch && main !== undefined ? owner.mainAddress : undefined;
    byNumber.set(branchNumber, {
      branchNumber,
      ...known("name", vestiging.naam),
      isMain: isMainBranch,
      ...known("address", withoutCountry(ownAddress ?? branchAddress(vestiging, isShielded))),
      isActive: owner.isActive && !vestiging.isBeeindigd,
    });
  }
  const list = [...byNumber.values()].toSorted((a, b) => Number(b.isMain) - Number(a.isMain));
  const count = Math.max(read.totaal ?? 0, list.length);
  if (count > list.length) {
    leftOut.push({
      reason: "the list of branches holds fewer than it says there are",
      detail: `${list.length} of ${count}`,
    });
  }
  return { list, count };
}

/** The address of a row of the list or of a Vestigingsprofiel. */
export function branchAddress(vestiging: Vestiging, isShielded: boolean): LocatedAddress {
  const text: Adres = {
    kind: "visiting",
    isAfgeschermd: false,
    ...known("volledigAdres", vestiging.volledigAdres),
  };
  const adres = chooseAdres(vestiging.adressen) ?? text;
  return mapAdres(adres, adres.isAfgeschermd || isShielded);
}

/** The main branch of the profile decides; without one, the flag in the list. */
function isMain(vestiging: Vestiging, mainNumber: string | undefined): boolean {
  if (mainNumber === undefined) return vestiging.indHoofdvestiging;
  return vestiging.vestigingsnummer === mainNumber;
}

/** Contract §2: a branch's address has no country. */
function withoutCountry({ country: _country, ...address }: LocatedAddress): LocatedAddress | undefined {
  return Object.keys(address).length === 0 ? undefined : address;
}
