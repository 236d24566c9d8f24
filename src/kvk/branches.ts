import type { Rejection } from "../company/rejection.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import type { Address, Branch } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import { chooseAdres, mapAdres } from "./address.ts";
import { type Adres, readVestigingen, type Vestiging, type Vestigingen } from "./wire.ts";

/** What is known of a company beside its list of branches. */
export interface BranchOwner {
  readonly isActive: boolean;
  /** The main branch as the profile has it; without one the flag in the list decides. */
  readonly main?: Pick<Vestiging, "vestigingsnummer" | "naam" | "isBeeindigd">;
  /** Its address, of which the profile says more than the one text of the list. */
  readonly mainAddress?: Address;
  readonly isMainShielded: boolean;
}

/** The list of branches, unless it is one of another company. */
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

/** Whether a list shields the main branch, which then shows no more anywhere. */
export function showsMainAsShielded(
  vestigingen: readonly Vestiging[],
  mainNumber: string | undefined,
): boolean {
  return vestigingen.some((vestiging) => vestiging.isAfgeschermd && isMain(vestiging, mainNumber));
}

/** Every branch of a list, the main one first and in any case, and how many there are. */
export function branchesOf(
  owner: BranchOwner,
  read: Vestigingen,
  leftOut: Rejection[],
): { list: readonly Branch[]; count: number } {
  const { main, isMainShielded } = owner;
  const byNumber = new Map<string, Branch>();
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
      ...known("address", withoutCountry(ownAddress ?? addressOf(vestiging, isShielded))),
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

/** The address of a row of the list, or of a whole Vestigingsprofiel in its place. */
export function addressOf(vestiging: Vestiging, isShielded: boolean): Address {
  const text: Adres = {
    kind: "visiting",
    isAfgeschermd: false,
    ...known("volledigAdres", vestiging.volledigAdres),
  };
  const adres = chooseAdres(vestiging.adressen) ?? text;
  return mapAdres(adres, adres.isAfgeschermd || isShielded);
}

/** The profile's own main branch decides; without one the flag in the list does. */
function isMain(vestiging: Vestiging, mainNumber: string | undefined): boolean {
  if (mainNumber === undefined) return vestiging.indHoofdvestiging;
  return vestiging.vestigingsnummer === mainNumber;
}

/** Contract §2: a branch's address has no country. */
function withoutCountry({ country: _country, ...address }: Address): Address | undefined {
  return Object.keys(address).length === 0 ? undefined : address;
}
