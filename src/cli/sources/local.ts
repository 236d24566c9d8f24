import type { BatchAnswer } from "../../../client/src/index.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { inOneGo } from "../../lib/steps.ts";
import type { Answer } from "../../lookup/answer.ts";
import { Companies } from "../../lookup/companies.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { type CliContext, CommandFailure, UsageError } from "../command.ts";
import { suppressedNumbers } from "../opening.ts";
import { kvkNumber as numberOf } from "../options.ts";
import { withNames, withSnapshot } from "../snapshot.ts";
import type { CommandSource, CompanySummary } from "./source.ts";

/** The snapshot in DATA_DIR as a source: no service is called, and no tokens are spent. */
export function localSource(context: CliContext): CommandSource {
  const withCompanies = async <T>(use: (companies: Companies) => T): Promise<T> => {
    const suppressed = await suppressedNumbers(context);
    const freshForMs = Number.POSITIVE_INFINITY;
    return withSnapshot(context, (current) =>
      use(new Companies({ registry: { current }, freshForMs, suppressed })),
    );
  };
  return {
    lookup: (kvkNumber, { enrich }) =>
      withCompanies((companies) => findCompany(companies, numberOf(kvkNumber), enrich)),
    branches: (kvkNumber) =>
      withCompanies((companies) => {
        const { name, source } = findCompany(companies, numberOf(kvkNumber), false);
        const branches = foundIn(companies.atOnce("branches", numberOf(kvkNumber)))?.branches;
        if (branches !== undefined) return { kvkNumber, name, branches };
        throw new CommandFailure(
          `The data from ${source?.kvk ?? "its origin"} does not contain the branches of ${kvkNumber}.`,
        );
      }),
    async *search(criteria) {
      const suppressed = await suppressedNumbers(context);
      yield await withNames(context, (current) => {
        const finder = new CompanyFinder({ registry: { current }, suppressed });
        return inOneGo(finder.searchHere(current, criteria));
      });
    },
    async autocomplete(typed, { limit }) {
      const suppressed = await suppressedNumbers(context);
      return withNames(context, (current) => {
        if (!current.isFindable) {
          throw new CommandFailure("The registry cannot be searched: its name index could not be read.");
        }
        const finder = new CompanyFinder({ registry: { current }, suppressed });
        return { results: inOneGo(finder.completeHere(current, typed, limit)) };
      });
    },
    batch: (numbers, { enrich, onProgress }) =>
      withCompanies((companies) => {
        const results: CompanySummary[] = [];
        const failed: BatchAnswer["failed"][number][] = [];
        for (const [index, text] of numbers.entries()) {
          try {
            results.push(findCompany(companies, numberOf(text), enrich));
          } catch (error) {
            if (!(error instanceof UsageError || error instanceof CommandFailure)) throw error;
            const code = error instanceof UsageError ? "INVALID_KVK_NUMBER" : "NOT_FOUND";
            failed.push({ kvkNumber: text, error: { code, message: error.message } });
          }
          onProgress({ done: index + 1 });
        }
        return { results, failed, tokensUsed: 0 };
      }),
  };
}

function findCompany(companies: Companies, kvkNumber: KvkNumber, enrich: boolean): CompanySummary {
  const company = enrich
    ? foundIn(companies.atOnce("enriched", kvkNumber))?.company
    : foundIn(companies.atOnce("basic", kvkNumber));
  if (company !== undefined) return company;
  throw new CommandFailure(`The registry has no company with number ${kvkNumber}.`);
}

function foundIn<Found>(answer: Answer<Found> | undefined): Found | undefined {
  return answer?.kind === "found" ? answer.found : undefined;
}
