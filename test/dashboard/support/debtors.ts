/** A debtor list as bookkeeping programs write it: a title, KVK numbers in some rows only, noise, and a total. */
import type { CompanyFacts } from "../../../src/company/facts.ts";

/** Rows of companies of the registry; others and a total follow. */
const ROWS = 104;
/** How many of them have their KVK number. */
const KNOWN = 43;
const HEADER = "Deb.nr;Relatie;KvK;Adres;Postcode;Plaats;Openstaand";

export interface DebtorList {
  readonly csv: string;
  /** The companies of the rows with a known number, and their names in the list. */
  readonly companies: readonly { readonly own: string; readonly kvkNumber: string }[];
}

/** @param facts the companies of the registry */
export function debtorList(facts: readonly CompanyFacts[]): DebtorList {
  const companies: { own: string; kvkNumber: string }[] = [];
  const rows = Array.from({ length: ROWS }, (_, index) => facts[97 * index + 5]).map((company, index) => {
    if (company === undefined) throw new Error("the registry is too small");
    const { name, kvkNumber, address } = company;
    const hasNumber = index % 12 < 5 && companies.length < KNOWN;
    if (hasNumber) companies.push({ own: name, kvkNumber });
    const own = !hasNumber && index % 7 === 3 ? name.replace(/ B\.V\.$/, " BV").toUpperCase() : name;
    const street = [address?.street, address?.houseNumber].filter(Boolean).join(" ");
    return [own, hasNumber ? kvkNumber : "", street, address?.postalCode, address?.city];
  });
  const others = [
    ["Onvindbaar Sterrenstof Observatorium", "", "", "", "Leiden"],
    ["Onvindbaar Nachtlicht (10432)", "", "", "", ""],
    ["Veerdienst Hollandsdiep", "n.v.t.", "", "", ""],
    ["Onbekend Een", "59999991", "", "", ""],
    ["Onbekend Twee", "59999992", "", "", ""],
  ];
  const lines = [...rows, ...others].map((cells, index) =>
    [`${10_000 + index}`, ...cells.map((cell) => cell ?? ""), `${index},50`].join(";"),
  );
  const csv = ["Debiteuren per 30 november;;;;;;", ";;;;;;", HEADER, ...lines, ";Totaal;;;;;5995,00"].join(
    "\r\n",
  );
  return { csv, companies };
}
