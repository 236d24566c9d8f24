import { CONTENT } from "../../insolvency/court/elements.ts";
import { escapeXml } from "../../insolvency/court/soap.ts";
import {
  referencesOf,
  type SimulatedAddress,
  type SimulatedCase,
  type SimulatedRemoval,
} from "./register.ts";

/** Content of an element; nothing for undefined, which leaves the element out. */
type Content = string | undefined;

const element = (name: string, content: Content, attributes = ""): string =>
  content === undefined ? "" : `<${name}${attributes}>${content}</${name}>`;
const field = (name: string, text: string | number | undefined): string =>
  element(name, text === undefined ? undefined : escapeXml(String(text)));
const fields = (texts: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(texts)
    .map(([name, text]) => field(name, text))
    .join("");
const root = (name: string, content: string, extractedAt?: string): string =>
  element(
    name,
    content,
    ` xmlns="${CONTENT}"${extractedAt === undefined ? "" : ` extractiedatum="${extractedAt}"`}`,
  );

/** `exceptie` with a code of the court: 1 for nothing found. */
export const exceptionXml = (code: string) => element("exceptie", "Fout", ` errorcode="${code}"`);

/** A list of references, or other content in its place. */
export function referencesXml(extractedAt: string, references: readonly string[]): string {
  const items = references.map((reference) => field("publicatieKenmerk", reference)).join("");
  return root("publicatieLijst", items === "" ? exceptionXml("1") : items, extractedAt);
}

export function removalsXml(extractedAt: string, removals: readonly SimulatedRemoval[]): string {
  const items = removals.map(({ caseNumber, reference, reason }) =>
    element(
      "verwijderdeInsolventie",
      fields({ insolventienummer: caseNumber, publicatieKenmerk: reference, reden: reason }),
    ),
  );
  return root(
    "verwijderdePublicatieLijst",
    items.length === 0 ? exceptionXml("1") : items.join(""),
    extractedAt,
  );
}

/** A case in the order of the court's schema, or `exceptie` 1 when there is none. */
export function caseXml(facts: SimulatedCase | undefined): string {
  const content = facts === undefined ? exceptionXml("1") : element("insolvente", caseContent(facts));
  return root("inspubWebserviceInsolvente", content);
}

function caseContent(facts: SimulatedCase): string {
  const { caseNumber, court, isLegalPerson, name, initials, bornOn, kvkNumber } = facts;
  const { address, tradeNames = [], curators = [], publications } = facts;
  const references = referencesOf(facts);
  return [
    fields({
      preHGKInsolventieNummer: caseNumber.replace(/\.\d{2}\//, "."),
      insolventienummer: caseNumber,
      behandelendeInstantieCode: court.code,
      behandelendeInstantieNaam: court.name,
      behandelendeVestigingCode: "0000",
      behandelendeVestigingNaam: "Rommeldam",
      isPreHGKGepubliceerd: "false",
    }),
    element(
      "persoon",
      fields({
        rechtspersoonlijkheid: isLegalPerson ? "rechtspersoon" : "natuurlijk persoon",
        voorletters: initials,
        achternaam: name,
        geboortedatum: bornOn,
        KvKNummer: kvkNumber,
      }),
    ),
    fields({ RC: "mr. R. Commissaris", vorigInsolventienummer: facts.previousCaseNumber }),
    element(
      "adressen",
      field("geheimAdres", String(facts.isAddressSecret === true)) + addressXml("adres", address),
    ),
    element(
      "handelendOnderDeNamen",
      tradeNames.length === 0 ? undefined : tradeNames.map(tradeNameXml).join(""),
    ),
    element(
      "cbvers",
      curators.length === 0
        ? undefined
        : curators
            .map(({ title, initials, prefix, familyName, city, phone, endedOn }) =>
              element(
                "cbv",
                fields({
                  datumBegin: publications[0]?.publishedOn,
                  datumEind: endedOn,
                  titulatuur: title,
                  voorletters: initials,
                  voorvoegsel: prefix,
                  achternaam: familyName,
                  CB: caseNumber.startsWith("F") ? "C" : "B",
                }) +
                  element(
                    "adres",
                    fields({ straat: "Advocatenlaan", huisnummer: 1, plaats: city, telefoonnummer: phone }),
                  ),
              ),
            )
            .join(""),
    ),
    element(
      "publicatiegeschiedenis",
      publications
        .map(({ publishedOn, code, text }, index) =>
          element(
            "publicatie",
            fields({
              publicatieDatum: publishedOn,
              publicatieKenmerk: references[index],
              publicatieOmschrijving: text,
              publicatieSoortCode: code,
              publicerendeInstantieCode: court.code,
            }),
          ),
        )
        .join("") + field("instroomLegacy", "false"),
    ),
    field("eindeVindbaarheid", facts.visibleUntil),
  ].join("");
}

function addressXml(name: string, address: SimulatedAddress | undefined): string {
  return element(
    name,
    address &&
      fields({
        datumBegin: "2020-01-01",
        straat: address.street,
        huisnummer: address.houseNumber,
        huisnummerToevoeging1: address.letter,
        huisnummerToevoeging2: address.addition,
        postcode: address.postalCode,
        plaats: address.city,
        adresType: address.type,
      }),
  );
}

function tradeNameXml({
  name,
  kvkNumber,
  isFormer,
  address,
}: NonNullable<SimulatedCase["tradeNames"]>[number]): string {
  const content = fields({ handelsnaam: name, KvKNummer: kvkNumber });
  return element(
    "handelendOnderDeNaam",
    content + element("handelsadressen", address && addressXml("handelsadres", address)),
    ` voorheen="${isFormer === true}"`,
  );
}
