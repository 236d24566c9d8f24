import { type KvkNumber, lostZeroHint, parseKvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import type { Address, BasicCompany, Branch, Company } from "../contract/resources.ts";
import type { Answer } from "../lookup/answer.ts";
import { Companies } from "../lookup/companies.ts";
import { type AddCommand, CommandFailure, WrongUse } from "./command.ts";
import { withSnapshot } from "./withSnapshot.ts";

interface Options {
  readonly enrich?: boolean;
  readonly branches?: boolean;
  readonly json?: boolean;
}

type Found = (BasicCompany | Company) & { branches?: Branch[] };

/** `opzoek lookup`: one company by its KVK number, straight from the snapshot. */
export const addLookupCommand: AddCommand = (program, context) => {
  program
    .command("lookup")
    .description("show one company of the registry, straight from the snapshot")
    .argument("<kvkNumber>", "eight digits")
    .option("--enrich", "with all that is known")
    .option("--branches", "with its branches")
    .option("--json", "print one JSON document")
    .action(async (text: string, options: Options) => {
      const kvkNumber = parseKvkNumber(text);
      if (kvkNumber === undefined) {
        throw new WrongUse(`A KVK number is exactly 8 digits; got ${quoted(text)}${lostZeroHint(text)}.`);
      }
      const suppressed = await context.suppressed();
      const found = withSnapshot(context, (current) => {
        const freshForMs = Number.POSITIVE_INFINITY;
        const companies = new Companies({ registry: { current }, freshForMs, suppressed });
        return lookup(companies, kvkNumber, options);
      });
      if (options.json) return context.out(JSON.stringify(found));
      for (const line of lines(found)) context.out(line);
    });
};

function lookup(companies: Companies, kvkNumber: KvkNumber, { enrich, branches }: Options): Found {
  const company = enrich
    ? foundIn(companies.atOnce("enriched", kvkNumber))?.company
    : foundIn(companies.atOnce("basic", kvkNumber));
  if (company === undefined) throw notHeld(kvkNumber);
  if (!branches) return company;
  const held = foundIn(companies.atOnce("branches", kvkNumber))?.branches;
  if (held === undefined) {
    throw new CommandFailure(
      `What ${company.source?.kvk ?? "the origin"} gave does not say which branches ${kvkNumber} has.`,
    );
  }
  return { ...company, branches: held };
}

function foundIn<Company>(answer: Answer<Company> | undefined): Company | undefined {
  return answer?.kind === "found" ? answer.found : undefined;
}

function notHeld(kvkNumber: KvkNumber): CommandFailure {
  return new CommandFailure(`The registry holds no company with number ${kvkNumber}.`);
}

function lines(company: Found): string[] {
  const { address, branches, source, ...fields } = company;
  const shown = Object.entries(fields).map(([key, value]): [string, string] => [key, show(value)]);
  const rows: [string, string][] = [
    ...shown,
    ["address", oneLine(address)],
    ["source", `${source?.kvk ?? "unknown"}, data of ${source?.cachedAt ?? "an unknown date"}`],
    ...(branches ?? []).map((branch): [string, string] => [
      `branch ${branch.branchNumber}`,
      branchLine(branch),
    ]),
  ];
  const width = Math.max(...rows.map(([key]) => key.length));
  return rows.map(([key, value]) => `${key.padEnd(width)}  ${value}`);
}

function branchLine({ name, isMain, isActive, address }: Branch): string {
  return [name, oneLine(address ?? {}), isMain ? "main branch" : "", isActive ? "" : "ended"]
    .filter(Boolean)
    .join("; ");
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(show).join("; ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object" && value !== null) return Object.values(value).map(show).join(" ");
  return String(value);
}

function oneLine({ street, houseNumber, postalCode, city, country, isShielded }: Address): string {
  const parts = [
    join(street, houseNumber),
    join(postalCode, city),
    country,
    isShielded ? "(shielded)" : undefined,
  ];
  return parts.filter(Boolean).join(", ") || "unknown";
}

function join(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}
