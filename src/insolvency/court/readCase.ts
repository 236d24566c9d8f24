import { formatHouseNumber, parsePostalCode } from "../../company/address.ts";
import type { Curator } from "../../contract/insolvency.ts";
import { parseKvkNumberText } from "../../contract/kvkNumberText.ts";
import { type KvkNumber, PLACEHOLDER_KVK_NUMBER, parseKvkNumber } from "../../contract/numbers.ts";
import { known, tidy } from "../../lib/values.ts";
import type { XmlElement } from "../../lib/xml.ts";
import { caseKeyOf, caseNumberOf } from "../rules.ts";
import type { CaseAddress, CaseType, CourtAnswer, CourtCase } from "../types.ts";
import { effectOf } from "./codes.ts";
import { childOf, childrenOf, textOf } from "./elements.ts";
import { BAD_CONTENT, WRONG_CASE } from "./failures.ts";
import { type Course, courseOf, dayOf, readPublication } from "./history.ts";

/** Called for content that is left out. */
export interface CaseOddities {
  /** @param code four digits, or `other` */
  readonly onUnknownCode?: (code: string) => void;
}

const TYPES: ReadonlyMap<string, CaseType> = new Map([
  ["F", "bankruptcy"],
  ["S", "suspension_of_payments"],
  ["R", "debt_restructuring"],
]);
/** A business address; others are private, postal or former ones. */
const BUSINESS = "VEST";

/**
 * Reads a case. Of a person only the business is kept: trade names, business addresses and numbers. A case has no
 * beginning, so that it says nothing, if a part of it cannot be read or if a legal person has several numbers.
 * @param asked the reference in the request
 */
export function readCase(
  content: XmlElement,
  asked: string,
  { onUnknownCode }: CaseOddities,
): CourtAnswer<CourtCase | "private"> {
  const found = childOf(content, "insolvente");
  const caseNumber = textOf(found, "insolventienummer");
  const type = TYPES.get(caseNumber?.slice(0, 1) ?? "");
  const courtCode = textOf(found, "behandelendeInstantieCode");
  const court = textOf(found, "behandelendeInstantieNaam");
  const person = childOf(found, "persoon");
  const personality = textOf(person, "rechtspersoonlijkheid");
  const history = childrenOf(childOf(found, "publicatiegeschiedenis"), "publicatie");
  const publications = history.map(readPublication).filter((publication) => publication !== undefined);
  const visibleText = textOf(found, "eindeVindbaarheid");
  const visibleUntil = dayOf(visibleText);
  if (caseNumber === undefined) return BAD_CONTENT;
  const references = publications.map(({ reference }) => reference);
  const isAsked = isUnique(caseNumber) && caseNumberOf(asked) === caseNumber;
  if (!isAsked && !references.some((reference) => caseKeyOf(reference) === caseKeyOf(asked)))
    return WRONG_CASE;

  for (const { code } of publications) {
    if (effectOf(code) === undefined) onUnknownCode?.(/^\d{4}$/.test(code) ? code : "other");
  }
  if (publications.length < history.length) onUnknownCode?.("other");
  const isLegalPerson = personality === "rechtspersoon";
  const tradeNames = childrenOf(childOf(found, "handelendOnderDeNamen"), "handelendOnderDeNaam").filter(
    ({ attributes }) => attributes.get("voorheen")?.trim() !== "true",
  );
  const kvkNumbers = readNumbers(person, tradeNames);
  const ownName = joined(textOf(person, "voorvoegsel"), textOf(person, "achternaam"));
  const names =
    isLegalPerson && ownName !== undefined
      ? [ownName]
      : tradeNames.map((tradeName) => textOf(tradeName, "handelsnaam"));
  const knownNames = [...new Set(names)].filter((name) => name !== undefined);
  const isPerson = personality === "natuurlijk persoon";
  if (!isLegalPerson && kvkNumbers.length === 0 && knownNames.length === 0)
    return isPerson ? { kind: "found", value: "private" } : BAD_CONTENT;
  const isCertain =
    type !== undefined &&
    court !== undefined &&
    (isLegalPerson ? kvkNumbers.length <= 1 : isPerson) &&
    publications.length === history.length &&
    (visibleUntil !== undefined || visibleText === undefined);
  const course: Course = isCertain ? courseOf(publications, type) : { type: type ?? "bankruptcy" };
  const value: CourtCase = {
    id: `${caseNumber} ${courtCode ?? ""}`,
    caseNumber,
    publication: references.includes(asked) ? asked : (references.at(-1) ?? asked),
    publications: references,
    ...course,
    court: court ?? "",
    isLegalPerson,
    kvkNumbers,
    names: knownNames,
    addresses: readAddresses(found, tradeNames),
    ...known("previousCaseNumber", textOf(found, "vorigInsolventienummer")),
    curators: course.endedOn === undefined ? readCurators(found) : [],
    ...known("visibleUntil", visibleUntil),
  };
  return { kind: "found", value };
}

/** Whether a number names its court: `F.16/21/150`, not `F.21/150`. */
function isUnique(caseNumber: string): boolean {
  return caseNumber.split("/").length === 3;
}

/** The number of the person, else those of its present trade names. */
function readNumbers(
  person: XmlElement | undefined,
  tradeNames: readonly XmlElement[],
): readonly KvkNumber[] {
  const read = (element: XmlElement | undefined): readonly KvkNumber[] => {
    const text = textOf(element, "KvKNummer");
    if (text === undefined) return [];
    const written = parseKvkNumberText(text);
    const isNumber = written.kind === "number" || written.kind === "short";
    const number = isNumber ? parseKvkNumber(written.number) : undefined;
    return number === undefined || number === PLACEHOLDER_KVK_NUMBER ? [] : [number];
  };
  const own = read(person);
  return own.length > 0 ? own : [...new Set(tradeNames.flatMap(read))];
}

/** Business addresses in the Netherlands; none if the address is secret. */
function readAddresses(
  found: XmlElement | undefined,
  tradeNames: readonly XmlElement[],
): readonly CaseAddress[] {
  const own = childOf(found, "adressen");
  if (textOf(own, "geheimAdres") !== "false") return [];
  const all = [
    ...childrenOf(own, "adres"),
    ...tradeNames.flatMap((tradeName) => childrenOf(childOf(tradeName, "handelsadressen"), "handelsadres")),
  ];
  return all
    .filter((address) => textOf(address, "adresType") === BUSINESS)
    .flatMap((address) => {
      const postalCode = parsePostalCode(textOf(address, "postcode") ?? "")?.replace(" ", "");
      const number = textOf(address, "huisnummer");
      if (postalCode === undefined || number === undefined) return [];
      const [letter, addition] = [1, 2].map((part) => textOf(address, `huisnummerToevoeging${part}`));
      return [{ postalCode, houseNumber: formatHouseNumber(number, letter, addition) }];
    });
}

/** Curators and administrators who have not been replaced. */
function readCurators(found: XmlElement | undefined): readonly Curator[] {
  return childrenOf(childOf(found, "cbvers"), "cbv")
    .filter((curator) => childrenOf(curator, "datumEind").length === 0)
    .flatMap((curator) => {
      const familyName = textOf(curator, "achternaam");
      if (familyName === undefined) return [];
      const [title, initials, prefix] = ["titulatuur", "voorletters", "voorvoegsel"].map((part) =>
        textOf(curator, part),
      );
      const office = childOf(curator, "adres");
      return [
        {
          name: joined(title, initials, prefix, familyName) ?? familyName,
          ...known("city", textOf(office, "plaats")),
          ...known("phone", textOf(office, "telefoonnummer")),
        },
      ];
    });
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  return tidy(parts.filter((part) => part !== undefined).join(" "));
}
