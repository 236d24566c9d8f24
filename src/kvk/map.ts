import { parsePostalCode } from "../company/address.ts";
import { parseCountry } from "../company/country.ts";
import type { CompanyFacts, FactsAddress, FactsBranch } from "../company/facts.ts";
import { parseLegalForm } from "../company/legalForm.ts";
import type { Rejection } from "../company/rejection.ts";
import type { Employees } from "../contract/employeesResource.ts";
import type { LegalForm } from "../contract/legalForms.ts";
import { passesElfproef } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { known } from "../lib/values.ts";
import { chooseAdres, mapAdres } from "./address.ts";
import { branchesOf, readOwnVestigingen, showsMainAsShielded } from "./branches.ts";
import { type Basisprofiel, readBasisprofiel, type Vestigingen } from "./wire.ts";

export interface MappedProfile {
  readonly facts: CompanyFacts;
  /** Parts of the response that could not be used. */
  readonly leftOut: readonly Rejection[];
}

/**
 * The facts of a Basisprofiel and, if given, of its list of branches (the API's VestigingList, its array, or whole
 * Vestigingsprofielen). Never throws.
 *
 * - registrationDate is `formeleRegistratiedatum`, the day of registration; startDate is `datumAanvang`, the day the
 * business began.
 * - An end (`datumEinde` of the business, `datumUitschrijving` of its owner) makes the company inactive from that day
 * on, also when the day is only partly known.
 * - KVK omits empty lists: no `handelsnamen` means no trading names. Branches are known only from the list, or known to
 * be none when the profile has neither a main branch nor a link to a list.
 */
export function mapBasisprofiel(profile: unknown, vestigingen?: unknown): MappedProfile | Rejection {
  const leftOut: Rejection[] = [];
  const wire = readBasisprofiel(profile, leftOut);
  if ("reason" in wire) return wire;
  const main = wire.hoofdvestiging;
  const list = readOwnVestigingen(wire.kvkNummer, vestigingen, leftOut);
  const isMainShielded =
    main?.isAfgeschermd === true || showsMainAsShielded(list?.vestigingen ?? [], main?.vestigingsnummer);
  const branches = mapBranches(wire, list, isMainShielded, leftOut);
  const facts: CompanyFacts = {
    kvkNumber: wire.kvkNummer,
    name: wire.naam,
    isActive: wire.einde?.isOver !== true,
    ...known("address", mapAddress(wire, isMainShielded)),
    ...known("tradingNames", wire.handelsnamen),
    ...known("legalForm", mapLegalForm(wire, leftOut)),
    ...known("registrationDate", wire.formeleRegistratiedatum),
    ...known("startDate", wire.datumAanvang),
    ...known("deregistrationDate", wire.einde?.day),
    ...known("statutoryName", wire.statutaireNaam),
    ...known("rsin", wire.eigenaar?.rsin),
    ...known("nonMailing", wire.indNonMailing),
    ...known("employees", mapEmployees(wire)),
    ...known("mainBranchNumber", main?.vestigingsnummer),
    ...known("branchCount", branches.count),
    ...known("websites", main?.websites ?? wire.eigenaar?.websites),
    ...known("activities", wire.sbiActiviteiten),
    ...known("branches", branches.list),
  };
  noteOddities(wire, list, leftOut);
  return { facts, leftOut };
}

/**
 * Full time and part time are given for the main branch only. They apply to the company if all of its people work
 * there, and are unknown otherwise.
 */
function mapEmployees({ werkzamePersonen, hoofdvestiging }: Basisprofiel): Employees | undefined {
  const { totaal, voltijd, deeltijd } = werkzamePersonen ?? {};
  const main = hoofdvestiging?.werkzamePersonen;
  const isAllInMain = totaal !== undefined && main?.totaal === totaal;
  const employees = {
    ...known("total", totaal),
    ...known("fullTime", voltijd ?? (isAllInMain ? main.voltijd : undefined)),
    ...known("partTime", deeltijd ?? (isAllInMain ? main.deeltijd : undefined)),
  };
  return Object.keys(employees).length === 0 ? undefined : employees;
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
    leftOut.push({
      reason: "a legal form that no rule maps",
      detail: quoted(texts.join(" / ")),
      deviation: { path: "_embedded.eigenaar.rechtsvorm", kind: "unmapped" },
    });
  }
  return undefined;
}

/**
 * Reports odd values, which are used all the same: KVK once published an RSIN that failed the check, and corrected it
 * later.
 */
function noteOddities(wire: Basisprofiel, list: Vestigingen | undefined, leftOut: Rejection[]): void {
  const rsin = wire.eigenaar?.rsin;
  if (rsin !== undefined && !passesElfproef(rsin)) {
    leftOut.push({ reason: "an RSIN that fails the elfproef (kept all the same)", detail: quoted(rsin) });
  }
  for (const { land, postcode } of [
    ...(wire.hoofdvestiging?.adressen ?? []),
    ...(wire.eigenaar?.adressen ?? []),
    ...(list?.vestigingen ?? []).flatMap(({ adressen }) => adressen),
  ]) {
    const country = land === undefined ? "NL" : parseCountry(land);
    if (country === undefined) {
      leftOut.push({
        reason: "a country that no rule maps",
        detail: quoted(land ?? ""),
        deviation: { path: "adressen[].land", kind: "unmapped" },
      });
    }
    if (country === "NL" && postcode !== undefined && parsePostalCode(postcode) === undefined) {
      leftOut.push({ reason: "a Dutch postal code of another form", detail: quoted(postcode) });
    }
  }
}

function mapBranches(
  wire: Basisprofiel,
  list: Vestigingen | undefined,
  isMainShielded: boolean,
  leftOut: Rejection[],
): { list?: readonly FactsBranch[]; count?: number } {
  const main = wire.hoofdvestiging;
  if (list === undefined) {
    return main === undefined && wire.linksToVestigingen === false ? { list: [], count: 0 } : {};
  }
  const adres = chooseAdres(main?.adressen ?? []);
  const owner = {
    isActive: wire.einde?.isOver !== true,
    isMainShielded,
    ...known("main", main),
    ...known("mainAddress", adres && mapAdres(adres, adres.isAfgeschermd || isMainShielded)),
  };
  return branchesOf(owner, list, leftOut);
}
