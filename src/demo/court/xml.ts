import { CONTENT } from "../../insolvency/court/elements.ts";
import { escapeXml } from "../../insolvency/court/soap.ts";
import { referencesOf, type SimulatedAddress, type SimulatedCase } from "./register.ts";

/** Content of an element: a text, elements by name in their order (attributes begin with `@`), or none. */
export type Content = string | number | boolean | undefined | readonly Content[] | Fields;
export interface Fields {
  readonly [name: string]: Content;
}

const isList = (content: Content): content is readonly Content[] => Array.isArray(content);

/** An element for each content of a list; none for undefined. `#` is the text of an element with attributes. */
export function element(name: string, content: Content): string {
  if (content === undefined) return "";
  if (isList(content)) return content.map((one) => element(name, one)).join("");
  if (typeof content !== "object") return `<${name}>${escapeXml(String(content))}</${name}>`;
  const isAttribute = ([key]: readonly [string, Content]) => key.startsWith("@");
  const attributes = Object.entries(content)
    .filter(isAttribute)
    .map(([key, value]) => ` ${key.slice(1)}="${escapeXml(String(value))}"`);
  const inside = Object.entries(content)
    .filter((entry) => !isAttribute(entry))
    .map(([key, value]) => (key === "#" ? escapeXml(String(value)) : element(key, value)));
  return `<${name}${attributes.join("")}>${inside.join("")}</${name}>`;
}

/** The answer when there is nothing, or with another code when something is wrong. */
export function exceptionOf(code = "1"): Fields {
  return { exceptie: { "@errorcode": code, "#": "Fout" } };
}

/** A case in the order of the court's schema. */
export function caseContent(facts: SimulatedCase): Fields {
  const { caseNumber, court, curators, publications, tradeNames } = facts;
  const references = referencesOf(facts);
  const insolvente = {
    preHGKInsolventieNummer: caseNumber.replace(/\.\d{2}\//, "."),
    insolventienummer: caseNumber,
    behandelendeInstantieCode: court.code,
    behandelendeInstantieNaam: court.name,
    behandelendeVestigingCode: "0000",
    behandelendeVestigingNaam: "Rommeldam",
    isPreHGKGepubliceerd: false,
    persoon: {
      rechtspersoonlijkheid: facts.isLegalPerson ? "rechtspersoon" : "natuurlijk persoon",
      voorletters: facts.initials,
      achternaam: facts.name,
      geboortedatum: facts.bornOn,
      KvKNummer: facts.kvkNumber,
    },
    RC: "mr. R. Commissaris",
    vorigInsolventienummer: facts.previousCaseNumber,
    adressen: {
      geheimAdres: facts.isAddressSecret === true,
      adres: facts.address && { ...addressContent(facts.address), adresType: facts.address.type },
    },
    handelendOnderDeNamen: tradeNames && {
      handelendOnderDeNaam: tradeNames.map(({ name, kvkNumber, isFormer, address }) => ({
        "@voorheen": isFormer === true,
        handelsnaam: name,
        KvKNummer: kvkNumber,
        handelsadressen: address && {
          handelsadres: { adresType: address.type, ...addressContent(address) },
        },
      })),
    },
    cbvers: curators && {
      cbv: curators.map(({ title, initials, prefix, familyName, city, phone, endedOn }) => ({
        datumBegin: publications[0]?.publishedOn,
        datumEind: endedOn,
        titulatuur: title,
        voorletters: initials,
        voorvoegsel: prefix,
        achternaam: familyName,
        CB: caseNumber.startsWith("F") ? "C" : "B",
        adres: { straat: "Advocatenlaan", huisnummer: 1, plaats: city, telefoonnummer: phone },
      })),
    },
    publicatiegeschiedenis: {
      publicatie: publications.map(({ publishedOn, code, text }, index) => ({
        publicatieDatum: publishedOn,
        publicatieKenmerk: references[index],
        publicatieOmschrijving: text,
        publicatieSoortCode: code,
        publicerendeInstantieCode: court.code,
      })),
      instroomLegacy: false,
    },
    eindeVindbaarheid: facts.visibleUntil,
  };
  return { insolvente };
}

function addressContent(address: SimulatedAddress): Fields {
  return {
    datumBegin: "2020-01-01",
    straat: address.street,
    huisnummer: address.houseNumber,
    huisnummerToevoeging1: address.letter,
    huisnummerToevoeging2: address.addition,
    postcode: address.postalCode,
    plaats: address.city,
  };
}

/** An element that the court returns. */
export function returned(name: string, content: Fields, extractedAt: string | undefined): string {
  const date = extractedAt === undefined ? {} : { "@extractiedatum": extractedAt };
  return element(name, { "@xmlns": CONTENT, ...date, ...content });
}
