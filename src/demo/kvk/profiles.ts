import type { CompanyFacts, FactsBranch } from "../../company/facts.ts";
import type { LegalForm } from "../../contract/legalForms.ts";
import { type JsonObject, known } from "../../lib/values.ts";
import { adresOf, fullText } from "./addresses.ts";
import { linksTo } from "./json.ts";

/** All responses about one company. */
export interface Wire {
  readonly basisprofiel: JsonObject;
  /** Undefined when there are no branches: KVK then responds with IPD0005. */
  readonly vestigingen?: JsonObject;
  /** By branch number. */
  readonly vestigingsprofielen: Readonly<Record<string, JsonObject>>;
}

/** The facts of a company in KVK's form, without ended branches: the API has no history. */
export function wireOf(facts: CompanyFacts): Wire {
  const branches = (facts.branches ?? []).filter(({ isActive, isMain }) => isActive || isMain);
  return {
    basisprofiel: basisprofielOf(facts),
    ...(branches.length > 0 && { vestigingen: vestigingenOf(facts, branches) }),
    vestigingsprofielen: Object.fromEntries(
      branches.map((branch) => [branch.branchNumber, vestigingsprofielOf(facts, branch)]),
    ),
  };
}

function basisprofielOf(facts: CompanyFacts): JsonObject {
  const { kvkNumber } = facts;
  const main = facts.branches?.find(({ isMain }) => isMain);
  const self = `/v1/basisprofielen/${kvkNumber}`;
  return {
    kvkNummer: kvkNumber,
    ...known("indNonMailing", yesNo(facts.nonMailing)),
    naam: facts.name,
    ...registrationOf(facts),
    ...known("totaalWerkzamePersonen", main === undefined ? undefined : facts.employees?.total),
    ...known("statutaireNaam", facts.statutoryName),
    ...known("handelsnamen", handelsnamenOf(facts)),
    ...known("sbiActiviteiten", sbiOf(facts)),
    ...linksTo(main === undefined ? { self } : { self, vestigingen: `${self}/vestigingen` }),
    _embedded: {
      ...(main !== undefined && { hoofdvestiging: hoofdvestigingOf(facts, main) }),
      eigenaar: {
        ...known("rsin", facts.rsin),
        ...rechtsvormOf(facts.legalForm),
        ...(main === undefined && addressPart(facts)),
        ...(main === undefined && known("websites", someOf(facts.websites))),
        ...linksTo({ self: `${self}/eigenaar`, basisprofiel: self }),
      },
    },
  };
}

function hoofdvestigingOf(facts: CompanyFacts, main: FactsBranch): JsonObject {
  const self = `/v1/basisprofielen/${facts.kvkNumber}`;
  return {
    vestigingsnummer: main.branchNumber,
    kvkNummer: facts.kvkNumber,
    ...registrationOf(facts),
    eersteHandelsnaam: main.name ?? facts.name,
    indHoofdvestiging: "Ja",
    indCommercieleVestiging: "Ja",
    ...known("voltijdWerkzamePersonen", facts.employees?.fullTime),
    ...known("totaalWerkzamePersonen", facts.employees?.total),
    ...known("deeltijdWerkzamePersonen", facts.employees?.partTime),
    ...addressPart(facts),
    ...known("websites", someOf(facts.websites)),
    ...linksTo({
      self: `${self}/hoofdvestiging`,
      vestigingen: `${self}/vestigingen`,
      basisprofiel: self,
      vestigingsprofiel: `/v1/vestigingsprofielen/${main.branchNumber}`,
    }),
  };
}

function vestigingenOf(facts: CompanyFacts, branches: readonly FactsBranch[]): JsonObject {
  const self = `/v1/basisprofielen/${facts.kvkNumber}`;
  return {
    kvkNummer: facts.kvkNumber,
    aantalCommercieleVestigingen: branches.length,
    aantalNietCommercieleVestigingen: 0,
    totaalAantalVestigingen: branches.length,
    vestigingen: branches.map((branch) => {
      const { branchNumber, address = {}, isMain } = branch;
      const vestigingsprofiel = `/v1/vestigingsprofielen/${branchNumber}`;
      return {
        vestigingsnummer: branchNumber,
        eersteHandelsnaam: branch.name ?? facts.name,
        indHoofdvestiging: yesNo(isMain),
        indAdresAfgeschermd: yesNo(address.isShielded === true),
        indCommercieleVestiging: "Ja",
        ...known("volledigAdres", fullText(isMain ? (facts.address ?? {}) : address)),
        ...linksTo(isMain ? { self: `${self}/hoofdvestiging`, vestigingsprofiel } : { vestigingsprofiel }),
      };
    }),
    ...linksTo({ self: `${self}/vestigingen`, basisprofiel: self }),
  };
}

function vestigingsprofielOf(facts: CompanyFacts, branch: FactsBranch): JsonObject {
  const { branchNumber, isMain, address } = branch;
  const total = isMain ? (facts.employees?.total ?? 0) : 1;
  const { fullTime, partTime } = isMain ? (facts.employees ?? {}) : {};
  return {
    vestigingsnummer: branchNumber,
    kvkNummer: facts.kvkNumber,
    ...known("rsin", facts.rsin),
    ...known("indNonMailing", yesNo(facts.nonMailing)),
    ...registrationOf(facts),
    ...known("statutaireNaam", facts.statutoryName),
    eersteHandelsnaam: branch.name ?? facts.name,
    indHoofdvestiging: yesNo(isMain),
    indCommercieleVestiging: "Ja",
    voltijdWerkzamePersonen: fullTime ?? total - Math.floor(total / 4),
    totaalWerkzamePersonen: total,
    deeltijdWerkzamePersonen: partTime ?? Math.floor(total / 4),
    handelsnamen: [{ naam: branch.name ?? facts.name, volgorde: 0 }],
    ...(isMain ? addressPart(facts) : address && { adressen: [adresOf(address, "visiting")] }),
    ...known("websites", isMain ? someOf(facts.websites) : undefined),
    ...known("sbiActiviteiten", sbiOf(facts)),
    ...linksTo({
      self: `/v1/vestigingsprofielen/${branchNumber}`,
      basisprofiel: `/v1/basisprofielen/${facts.kvkNumber}`,
    }),
  };
}

function addressPart({ address }: CompanyFacts): JsonObject {
  return address === undefined ? {} : { adressen: [adresOf(address, address.kind)] };
}

/** The business starts on the day of its registration. KVK writes unknown parts of a date as zeros. */
function registrationOf({ registrationDate, deregistrationDate, isActive }: CompanyFacts): JsonObject {
  const einde = deregistrationDate === undefined ? "20240000" : compact(deregistrationDate);
  const datumAanvang = registrationDate === undefined ? "00000000" : compact(registrationDate);
  return {
    ...known("formeleRegistratiedatum", registrationDate && compact(registrationDate)),
    materieleRegistratie: { datumAanvang, ...(!isActive && { datumEinde: einde }) },
  };
}

function handelsnamenOf({ tradingNames }: CompanyFacts): readonly JsonObject[] | undefined {
  return someOf(tradingNames)?.map((naam, volgorde) => ({ naam, volgorde }));
}

function sbiOf({ activities }: CompanyFacts): readonly JsonObject[] | undefined {
  return someOf(activities)?.map(({ sbiCode, description, isMain }) => ({
    sbiCode,
    ...known("sbiOmschrijving", description),
    indHoofdactiviteit: yesNo(isMain),
  }));
}

/** Undefined for an empty list, which KVK omits. */
function someOf<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function yesNo(value: boolean): string;
function yesNo(value: boolean | undefined): string | undefined;
function yesNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "Ja" : "Nee";
}

function compact(day: string): string {
  return day.replaceAll("-", "");
}

function rechtsvormOf(form: LegalForm | undefined): JsonObject {
  if (form === undefined) return {};
  const [rechtsvorm, uitgebreideRechtsvorm = rechtsvorm] = RECHTSVORMEN[form];
  return { rechtsvorm, uitgebreideRechtsvorm };
}

/** KVK's texts; the second, where it differs, is the extended form. */
const RECHTSVORMEN: Readonly<Record<LegalForm, readonly [string, string?]>> = {
  BV: ["BeslotenVennootschap", "Besloten vennootschap met gewone structuur"],
  NV: ["NaamlozeVennootschap", "Naamloze vennootschap met gewone structuur"],
  EMZ: ["Eenmanszaak"],
  VOF: ["VennootschapOnderFirma", "Vennootschap onder firma"],
  CV: ["CommanditaireVennootschap", "Commanditaire vennootschap"],
  MTS: ["Maatschap"],
  STI: ["Stichting"],
  VER: ["Vereniging", "Vereniging met volledige rechtsbevoegdheid"],
  VVE: ["Vereniging van Eigenaars"],
  COOP: ["Coöperatie", "Coöperatie met uitgesloten aansprakelijkheid"],
  OWM: ["OnderlingeWaarborgMaatschappij", "Onderlinge waarborgmaatschappij"],
  KG: ["Kerkgenootschap"],
  PPR: ["PubliekrechtelijkeRechtspersoon", "Publiekrechtelijke rechtspersoon"],
  OPR: ["OverigePrivaatrechtelijkeRechtspersoon", "Overige privaatrechtelijke rechtspersoon"],
  SE: ["EuropeseNaamlozeVennootschap", "Europese naamloze vennootschap"],
  SCE: ["EuropeseCooperatieveVennootschap", "Europese coöperatieve vennootschap"],
  EESV: ["EuropeesEconomischSamenwerkingsverband", "Europees economisch samenwerkingsverband"],
  FGR: ["Fonds voor gemene rekening"],
  REDE: ["Rederij"],
  BUI: ["BuitenlandseVennootschap", "Buitenlandse rechtsvorm"],
};
