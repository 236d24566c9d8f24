import type { CompanyFacts } from "../../src/company/facts.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { Random } from "../../src/demo/random.ts";
import { inOneGo } from "../../src/lib/steps.ts";
import type { Snapshot } from "../../src/snapshot/types.ts";
import { CASES } from "../cases/all.ts";
import type { CaseCall } from "../cases/case.ts";
import { type PartCost, timeWork } from "./timing.ts";

const DROPDOWN = 8;
const PAGE = 10;

/** What the registry costs alone, asked exactly what the cases ask over HTTP. */
export function registryParts(snapshot: Snapshot, companies: readonly CompanyFacts[]): PartCost[] {
  const numbers = companies.map(({ kvkNumber }) => kvkNumber);
  const at = (index: number) => numbers[index % numbers.length] ?? "";
  const number = (index: number) => {
    const parsed = parseKvkNumber(at(index));
    if (parsed === undefined) throw new RangeError("the registry is empty");
    return parsed;
  };
  const typed = queriesOf("autocomplete", companies);
  const searched = queriesOf("search", companies);
  return [
    timeWork("registry: basic lookup", 100_000, (index) => snapshot.basic(number(index))),
    timeWork("registry: enriched lookup", 50_000, (index) => snapshot.enriched(number(index))),
    timeWork("registry: autocomplete", typed.length, (index) =>
      snapshot.autocomplete(typed[index % typed.length]?.get("q") ?? "", DROPDOWN),
    ),
    timeWork("registry: search", searched.length, (index) => {
      const query = searched[index % searched.length];
      const city = query?.get("city") ?? undefined;
      const criteria = { q: query?.get("q") ?? "", ...(city !== undefined && { city }) };
      return inOneGo(snapshot.search({ ...criteria, page: 1, pageSize: PAGE }));
    }),
  ];
}

function queriesOf(name: string, companies: readonly CompanyFacts[]): URLSearchParams[] {
  const calls: readonly CaseCall[] =
    CASES.find((bench) => bench.name === name)?.calls(companies, new Random(1)) ?? [];
  return calls.map(({ path }) => new URL(path, "http://opzoek.example").searchParams);
}
