import type { LegalForm } from "../../contract/legalForms.ts";
import { passesElfproef } from "../../contract/numbers.ts";
import { quoted } from "../../contract/quoting.ts";
import type { Address, Branch } from "../../contract/resources.ts";
import { parsePostalCode } from "../address.ts";
import { parseCountry } from "../country.ts";
import type { CompanyFacts, FactsAddress } from "../facts.ts";
import { parseLegalForm } from "../legalForm.ts";
import type { Rejection } from "../rejection.ts";
import { known } from "../values.ts";
import { chooseAdres, mapAdres } from "./address.ts";
import {
  type Adres,
  type Basisprofiel,
  readBasisprofiel,
  readVestigingen,
  type Vestiging,
  type Vestigingen,
} from "./wire.ts";

export interface MappedProfile {
  readonly facts: CompanyFacts;
  /** What of the answer could not be used. */
  readonly leftOut: readonly Rejection[];
}

/**
 * The facts of a Basisprofiel and, where it is given, of its list of branches (the API's VestigingList, its array, or
 * whole Vestigingsprofielen). Never throws, whatever the answer holds.
 *
 * - registrationDate is `formeleRegistratiedatum`, the day of registration; `datumAanvang` is the day the business began.
 * - An end (`datumEinde` of the business, `datumUitschrijving` of its owner) makes the company inactive, also when its
 *   day is not known.
 * - KVK leaves out what there is none of: no `handelsnamen` means no trading names. Branches are known only from the
 *   list, or to be none when there is neither a main branch nor a link to a list.
 */
export function mapBasisprofiel(profile: unknown, vestigingen?: unknown): MappedProfile | Rejection {
  const leftOut: Rejection[] = [];
  const wire = readBasisprofiel(profile, leftOut);
  if ("reason" in wire) return wire;
  const main = wire.hoofdvestiging;
  const list = readOwnVestigingen(wire, vestigingen, leftOut);
  const isMainShielded = [main, ...(list?.vestigingen ?? [])].some(
    (vestiging) => vestiging?.isAfgeschermd === true && (vestiging === main || isMain(vestiging, main)),
  );
  const branches = mapBranches(wire, list, isMainShielded, leftOut);
  const facts: CompanyFacts = {
    kvkNumber: wire.kvkNummer,
    name: wire.naam,
    isActive: wire.einde === undefined,
    ...known("address", mapAddress(wire, isMainShielded)),
    ...known("tradingNames", wire.handelsnamen),
    ...known("legalForm", mapLegalForm(wire, leftOut)),
    ...known("registrationDate", wire.formeleRegistratiedatum),
    ...known("deregistrationDate", wire.einde?.dag),
    ...known("statutoryName", wire.statutaireNaam),
    ...known("rsin", wire.eigenaar?.rsin),
    ...known("nonMailing", wire.indNonMailing),
    ...known("employees", wire.totaalWerkzamePersonen),
    ...known("mainBranchNumber", main?.vestigingsnummer),
    ...known("branchCount", branches.count),
    ...known("websites", main?.websites ?? wire.eigenaar?.websites),
    ...known("activities", wire.sbiActiviteiten),
    ...known("branches", branches.list),
  };
  noteOddities(wire, leftOut);
  return { facts, leftOut };
}

/** The address of the main branch, else of the owner (a company without a branch has only that). */
function mapAddress(wire: Basisprofiel, isMainShielded: boolean): FactsAddress | undefined {
  const adres = chooseAdres([...(wire.hoofdvestiging?.adressen ?? []), ...(wire.eigenaar?.adressen ?? [])]);
  if (adres === undefined) return isMainShielded ? { isShielded: true, kind: "visiting" } : undefined;
  const address = mapAdres(adres, adres.isAfgeschermd || isMainShielded);
  return Object.keys(address).length === 0 ? undefined : { ...address, kind: adres.kind };
}

function mapLegalForm({ eigenaar }: Basisprofiel, leftOut: Rejection[]): LegalForm | undefined {
  const texts = [eigenaar?.rechtsvorm, eigenaar?.uitgebreideRechtsvorm].filter((text) => text !== undefined);
  for (const text of texts) {
    const form = parseLegalForm(text);
    if (form !== undefined) return form === "none" ? undefined : form;
  }
  if (texts[0] !== undefined) {
    leftOut.push({ reason: "a legal form that no rule maps", detail: quoted(texts.join(" / ")) });
  }
  return undefined;
}

/** Said once a company, but used all the same: KVK itself has published an RSIN that failed and corrected it later. */
function noteOddities(wire: Basisprofiel, leftOut: Rejection[]): void {
  const rsin = wire.eigenaar?.rsin;
  if (rsin !== undefined && !passesElfproef(rsin)) {
    leftOut.push({ reason: "an RSIN that fails the elfproef (kept all the same)", detail: quoted(rsin) });
  }
  for (const { land, postcode } of [
    ...(wire.hoofdvestiging?.adressen ?? []),
    ...(wire.eigenaar?.adressen ?? []),
  ]) {
    const country = land === undefined ? "NL" : parseCountry(land);
    if (country === undefined) {
      leftOut.push({ reason: "a country that no rule maps", detail: quoted(land ?? "") });
    }
    if (country === "NL" && postcode !== undefined && parsePostalCode(postcode) === undefined) {
      leftOut.push({ reason: "a Dutch postal code of another form", detail: quoted(postcode) });
    }
  }
}

/** The list of branches, unless it is one of another company. */
function readOwnVestigingen(
  wire: Basisprofiel,
  value: unknown,
  leftOut: Rejection[],
): Vestigingen | undefined {
  const list = readVestigingen(value, leftOut);
  if (list?.kvkNummer === undefined || list.kvkNummer === wire.kvkNummer) return list;
  leftOut.push({ reason: "a list of branches of another company", detail: quoted(list.kvkNummer) });
  return undefined;
}

/** The profile's own main branch decides; without one the flag in the list does. */
function isMain(vestiging: Vestiging | undefined, main: Vestiging | undefined): boolean {
  if (main?.vestigingsnummer === undefined) return vestiging?.indHoofdvestiging === true;
  return vestiging?.vestigingsnummer === main.vestigingsnummer;
}

function mapBranches(
  wire: Basisprofiel,
  read: Vestigingen | undefined,
  isMainShielded: boolean,
  leftOut: Rejection[],
): { list?: readonly Branch[]; count?: number } {
  const main = wire.hoofdvestiging;
  if (read === undefined) {
    return main === undefined && wire.linksToVestigingen === false ? { list: [], count: 0 } : {};
  }
  const byNumber = new Map<string, Branch>();
  for (const vestiging of [...read.vestigingen, ...(main === undefined ? [] : [main])]) {
    const { vestigingsnummer: branchNumber } = vestiging;
    if (branchNumber === undefined || byNumber.has(branchNumber)) continue;
    const isMainBranch = isMain(vestiging, main);
    const isShielded = vestiging.isAfgeschermd || (isMainBranch && isMainShielded);
    byNumber.set(branchNumber, {
      branchNumber,
      ...known("name", vestiging.naam),
      isMain: isMainBranch,
      ...known("address", branchAddress(vestiging, isMainBranch ? main : undefined, isShielded)),
      isActive: wire.einde === undefined && !vestiging.isBeeindigd,
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

/** Without country (contract §2). Of the main branch the profile says more than the one text of the list. */
function branchAddress(
  vestiging: Vestiging,
  main: Vestiging | undefined,
  isShielded: boolean,
): Address | undefined {
  const text: Adres = {
    kind: "visiting",
    isAfgeschermd: false,
    ...known("volledigAdres", vestiging.volledigAdres),
  };
  const adres = chooseAdres(main?.adressen ?? []) ?? chooseAdres(vestiging.adressen) ?? text;
  const { country: _country, ...address } = mapAdres(adres, adres.isAfgeschermd || isShielded);
  return Object.keys(address).length === 0 ? undefined : address;
}
