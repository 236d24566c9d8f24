import { passesElfproef } from "../../contract/numbers.ts";
import { type JsonObject, known } from "../../lib/values.ts";
import type { Reply } from "../simulator/sending.ts";
import { zoekenAdresOf } from "./addresses.ts";
import { errorAnswer, found } from "./answers.ts";
import { linksTo } from "./json.ts";
import type { Register, Registered } from "./register.ts";

const MAX_ROWS = 1_000;

/** The parameters that Opzoek and its tests send, with their form. Names are not case-sensitive. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  kvknummer: /^[0-9]{8}$/,
  rsin: /^[0-9]{9}$/,
  naam: /\S/,
  plaats: /\S/,
  inclusiefinactieveregistraties: /^(true|false)$/,
  pagina: /^([1-9][0-9]{0,2}|1000)$/,
  resultatenperpagina: /^([1-9][0-9]?|100)$/,
};

type SearchParameters = ReadonlyMap<string, string>;

interface Row {
  readonly facts: Registered["facts"];
  readonly type: "hoofdvestiging" | "nevenvestiging" | "rechtspersoon";
  readonly number?: string;
  readonly name: string;
  /** The names by which the row is found. */
  readonly names: readonly (string | undefined)[];
  readonly address: Parameters<typeof zoekenAdresOf>[0] | undefined;
}

/** `GET /v2/zoeken`: a row for each branch and one for a legal person; 404 when there are none. */
export function searchReply(register: Register, query: URLSearchParams): Reply {
  const parameters: SearchParameters = new Map(
    [...query].map(([name, value]) => [name.toLowerCase(), value]),
  );
  const wrong = [...parameters].find(([name, value]) => !PARAMETERS[name]?.test(value));
  if (wrong !== undefined) return errorAnswer("IPD1999", wrong[0]);
  const rsin = parameters.get("rsin");
  if (rsin !== undefined && !passesElfproef(rsin)) return errorAnswer("IPD0010", rsin);
  const kvkNumber = parameters.get("kvknummer");
  const error = register.errorOf(kvkNumber ?? "");
  if (error !== undefined && error !== "IPD0005") return errorAnswer(error, kvkNumber);

  const companies = kvkNumber === undefined ? register.all : [register.company(kvkNumber)];
  const rows = [...companies].flatMap((company) =>
    company === undefined ? [] : matching(company, parameters),
  );
  const pagina = Number(parameters.get("pagina") ?? 1);
  const perPage = Number(parameters.get("resultatenperpagina") ?? 10);
  const shown = rows.slice(0, MAX_ROWS).slice((pagina - 1) * perPage, pagina * perPage);
  if (shown.length === 0) return errorAnswer("IPD5200");
  const self = new URLSearchParams([...parameters]);
  self.set("pagina", String(pagina));
  self.set("resultatenperpagina", String(perPage));
  const body = {
    pagina,
    resultatenPerPagina: perPage,
    totaal: rows.length,
    resultaten: shown.map((row) => shownRow(row, parameters)),
    ...linksTo({ self: `/v2/zoeken?${self}` }),
  };
  return found(body, "2.1.0");
}

function matching({ facts }: Registered, parameters: SearchParameters): readonly Row[] {
  if (!facts.isActive && parameters.get("inclusiefinactieveregistraties") !== "true") return [];
  const rsin = parameters.get("rsin");
  if (rsin !== undefined && facts.rsin !== rsin) return [];
  const words = wordsOf(parameters.get("naam") ?? "");
  const city = parameters.get("plaats")?.toLowerCase();
  const rows = rowsOf(facts).filter(({ names, address }) => {
    const own = new Set(wordsOf(names.join(" ")));
    const isInCity = city === undefined || address?.city?.toLowerCase() === city;
    return isInCity && words.every((word) => own.has(word));
  });
  // KVK has changed its order without notice.
  return Number(facts.kvkNumber) % 20 === 0 ? rows.reverse() : rows;
}

/** Forms without legal personality. Some of them have an RSIN, but none has a row of its own. */
const NO_LEGAL_PERSON = ["EMZ", "VOF", "CV", "MTS", "REDE"];

function rowsOf(facts: Registered["facts"]): Row[] {
  const { name, tradingNames = [], address, legalForm = "" } = facts;
  const branches = (facts.branches ?? []).filter((branch) => branch.isActive || branch.isMain);
  const rows: Row[] = branches.map((branch) => ({
    facts,
    type: branch.isMain ? "hoofdvestiging" : "nevenvestiging",
    number: branch.branchNumber,
    name: branch.isMain ? name : (branch.name ?? name),
    names: [branch.name, ...(branch.isMain ? [name, ...tradingNames] : [])],
    address: branch.isMain ? address : branch.address && { ...branch.address, kind: "visiting" },
  }));
  if (branches.length > 0 && NO_LEGAL_PERSON.includes(legalForm)) return rows;
  const own = branches.length === 0 ? address : undefined;
  return [...rows, { facts, type: "rechtspersoon", name, names: [name, facts.statutoryName], address: own }];
}

function shownRow({ facts, type, number, name, address }: Row, parameters: SearchParameters): JsonObject {
  const basisprofiel = `/v1/basisprofielen/${facts.kvkNumber}`;
  return {
    kvkNummer: facts.kvkNumber,
    ...known("rsin", parameters.has("rsin") ? facts.rsin : undefined),
    ...known("vestigingsnummer", number),
    naam: name,
    ...known("adres", address && zoekenAdresOf(address)),
    type,
    ...(parameters.has("inclusiefinactieveregistraties") && { actief: facts.isActive ? "Ja" : "Nee" }),
    ...linksTo(
      number === undefined
        ? { basisprofiel }
        : { basisprofiel, vestigingsprofiel: `/v1/vestigingsprofielen/${number}` },
    ),
  };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
