import { passesElfproef } from "../../contract/numbers.ts";
import { type JsonObject, known } from "../../lib/values.ts";
import type { Reply } from "../transport.ts";
import { zoekenAdresOf } from "./addresses.ts";
import { errorAnswer, found } from "./answers.ts";
import { linksTo } from "./json.ts";
import type { Register, Registered } from "./register.ts";

const MOST_ROWS = 1_000;
const TYPES = ["hoofdvestiging", "nevenvestiging", "rechtspersoon"];

/** Every parameter, with its form. The names are not sensitive to case. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  kvknummer: /^[0-9]{8}$/,
  rsin: /^[0-9]{9}$/,
  vestigingsnummer: /^[0-9]{12}$/,
  naam: /\S/,
  straatnaam: /\S/,
  plaats: /\S/,
  postcode: /^[0-9]{4}[A-Za-z]{2}$/,
  huisnummer: /^[0-9]{1,5}$/,
  huisletter: /^[A-Za-z]$/,
  postbusnummer: /^[0-9]{1,5}$/,
  type: /^[a-z]+$/,
  inclusiefinactieveregistraties: /^(true|false)$/,
  pagina: /^([1-9][0-9]{0,2}|1000)$/,
  resultatenperpagina: /^([1-9][0-9]?|100)$/,
};
/** What a parameter is refused without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  postcode: ["huisnummer", "postbusnummer"],
  huisnummer: ["postcode"],
  huisletter: ["huisnummer"],
  postbusnummer: ["postcode"],
};

interface Row {
  readonly type: string;
  readonly number?: string;
  readonly name: string;
  readonly words: string;
  readonly address: Parameters<typeof zoekenAdresOf>[0] | undefined;
  readonly kind: "visiting" | "correspondence";
  readonly isActive: boolean;
}

/** `GET /v2/zoeken`: one row a branch, and one for a legal person; 404 when there is none. */
export function search(register: Register, query: URLSearchParams): Reply {
  const asked = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
  const types = query.getAll("type");
  const wrong = [...asked].find(
    ([name, value]) => !PARAMETERS[name]?.test(value) || NEEDS[name]?.every((needed) => !asked.has(needed)),
  );
  if (wrong !== undefined) return errorAnswer("IPD1999", wrong[0]);
  if (types.some((type) => !TYPES.includes(type))) return errorAnswer("IPD5203");
  const rsin = asked.get("rsin");
  if (rsin !== undefined && !passesElfproef(rsin)) return errorAnswer("IPD0010", rsin);
  const odd = register.errorOf(asked.get("kvknummer") ?? "");
  if (odd !== undefined && odd !== "IPD0005") return errorAnswer(odd, asked.get("kvknummer"));

  const candidates = asked.has("kvknummer") ? [register.company(asked.get("kvknummer") ?? "")] : register.all;
  const rows = [...candidates]
    .filter((one) => one !== undefined)
    .flatMap((registered) => matching(registered, asked, types).map((row) => ({ registered, row })));
  const [pagina, perPage] = [
    Number(asked.get("pagina") ?? 1),
    Number(asked.get("resultatenperpagina") ?? 10),
  ];
  const shown = rows.slice(0, MOST_ROWS).slice((pagina - 1) * perPage, pagina * perPage);
  if (shown.length === 0) return errorAnswer("IPD5200");
  const self = new URLSearchParams([
    ...asked,
    ["pagina", String(pagina)],
    ["resultatenperpagina", String(perPage)],
  ]);
  const body = {
    pagina,
    resultatenPerPagina: perPage,
    totaal: rows.length,
    resultaten: shown.map(({ registered, row }) => shownRow(registered, row, asked)),
    ...linksTo({ self: `/v2/zoeken?${new URLSearchParams(Object.fromEntries(self))}` }),
  };
  return found(body, "2.1.0");
}

function matching(
  { facts }: Registered,
  asked: ReadonlyMap<string, string>,
  types: readonly string[],
): Row[] {
  if (!facts.isActive && asked.get("inclusiefinactieveregistraties") !== "true") return [];
  const isWanted = (row: Row): boolean => {
    const { address = {} } = row;
    const open = address.isShielded === true ? {} : address;
    const tests: Readonly<Record<string, (value: string) => boolean>> = {
      kvknummer: (value) => facts.kvkNumber === value,
      rsin: (value) => facts.rsin === value,
      vestigingsnummer: (value) => row.number === value,
      naam: (value) => hasWords(row.words, value),
      straatnaam: (value) => hasWords(open.street ?? "", value),
      plaats: (value) => (address.city ?? "").toLowerCase() === value.toLowerCase(),
      postcode: (value) => open.postalCode?.replace(" ", "") === value.toUpperCase(),
      huisnummer: (value) => Number.parseInt(open.houseNumber ?? "", 10) === Number(value),
      huisletter: (value) => /^[0-9]+([A-Za-z])/.exec(open.houseNumber ?? "")?.[1] === value,
      postbusnummer: (value) => open.street === "Postbus" && open.houseNumber === value,
    };
    const fits = [...asked].every(([name, value]) => tests[name]?.(value) ?? true);
    return fits && (types.length === 0 || types.includes(row.type));
  };
  const rows = rowsOf(facts).filter(isWanted);
  // KVK's order has changed without notice.
  return Number(facts.kvkNumber) % 20 === 0 ? rows.reverse() : rows;
}

/** Legal persons have an RSIN; partnerships have one too, and no row of their own. */
const NO_LEGAL_PERSON = ["EMZ", "VOF", "CV", "MTS", "REDE"];

function rowsOf(facts: Registered["facts"]): Row[] {
  const { name, tradingNames = [], isActive, address, legalForm = "" } = facts;
  const branches = (facts.branches ?? []).filter((branch) => branch.isActive || branch.isMain);
  const rows: Row[] = branches.map((branch) => ({
    type: branch.isMain ? "hoofdvestiging" : "nevenvestiging",
    number: branch.branchNumber,
    name: branch.isMain ? name : (branch.name ?? name),
    words: [branch.name, ...(branch.isMain ? [name, ...tradingNames] : [])].join(" "),
    address: branch.isMain ? address : branch.address,
    kind: branch.isMain ? (address?.kind ?? "visiting") : "visiting",
    isActive,
  }));
  if (branches.length > 0 && NO_LEGAL_PERSON.includes(legalForm)) return rows;
  const own = branches.length === 0 ? address : undefined;
  const words = [name, facts.statutoryName].join(" ");
  return [
    ...rows,
    { type: "rechtspersoon", name, words, address: own, kind: own?.kind ?? "visiting", isActive },
  ];
}

function shownRow({ facts }: Registered, row: Row, asked: ReadonlyMap<string, string>): JsonObject {
  const basisprofiel = `/v1/basisprofielen/${facts.kvkNumber}`;
  const showsAll = asked.has("postcode");
  return {
    kvkNummer: facts.kvkNumber,
    ...known("rsin", asked.has("rsin") ? facts.rsin : undefined),
    ...known("vestigingsnummer", row.number),
    naam: row.name,
    ...known("adres", row.address && zoekenAdresOf(row.address, row.kind, showsAll)),
    type: row.type,
    ...(asked.has("inclusiefinactieveregistraties") && { actief: row.isActive ? "Ja" : "Nee" }),
    ...linksTo(
      row.number === undefined
        ? { basisprofiel }
        : { basisprofiel, vestigingsprofiel: `/v1/vestigingsprofielen/${row.number}` },
    ),
  };
}

/** Whole words, in any order. */
function hasWords(text: string, asked: string): boolean {
  const words = new Set(wordsOf(text));
  return wordsOf(asked).every((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
