import { type KvkNumber, lostZeroHint, parseKvkNumber } from "../../contract/numbers.ts";
import { quoted } from "../../contract/quoting.ts";
import { inOneGo } from "../../lib/steps.ts";
import type { Answer } from "../../lookup/answer.ts";
import { Companies } from "../../lookup/companies.ts";
import { CompanyFinder } from "../../lookup/finding.ts";
import { type CliContext, CommandFailure, WrongUse } from "../command.ts";
import { withNames, withSnapshot } from "../withSnapshot.ts";
import type { Answers, BranchesOf, FailedNumber, SomeCompany } from "./answers.ts";

/** What the snapshot in DATA_DIR answers: no service is asked, and no tokens are spent. */
export function localAnswers(context: CliContext): Answers {
  const withCompanies = async <T>(use: (companies: Companies) => T): Promise<T> => {
    const suppressed = await context.suppressed();
    const freshForMs = Number.POSITIVE_INFINITY;
    return withSnapshot(context, (current) =>
      use(new Companies({ registry: { current }, freshForMs, suppressed })),
    );
  };
  return {
    lookup: (kvkNumber, enrich) => withCompanies((companies) => held(companies, numberOf(kvkNumber), enrich)),
    branches: (kvkNumber) => withCompanies((companies) => branchesOf(companies, numberOf(kvkNumber))),
    async search(criteria) {
      const suppressed = await context.suppressed();
      return withNames(context, (registry) => {
        const finder = new CompanyFinder({ registry: { current: registry }, suppressed });
        return inOneGo(finder.searchHere(registry, criteria).steps);
      });
    },
    async autocomplete(typed, limit) {
      const suppressed = await context.suppressed();
      return withNames(context, (current) => {
        const found = new CompanyFinder({ registry: { current }, suppressed }).autocomplete(typed, limit);
        if ("kind" in found && found.kind === "in-steps") return inOneGo(found.steps);
        throw new CommandFailure("The registry cannot be searched: its index of names could not be read.");
      });
    },
    batch: (numbers, enrich, onProgress) =>
      withCompanies((companies) => {
        const results: SomeCompany[] = [];
        const failed: FailedNumber[] = [];
        for (const [index, text] of numbers.entries()) {
          const answer = oneOfMany(companies, text, enrich);
          if ("error" in answer) failed.push(answer);
          else results.push(answer);
          onProgress(index + 1);
        }
        return { results, failed, tokensUsed: 0 };
      }),
  };
}

/** @throws {WrongUse} for what is no KVK number */
function numberOf(text: string): KvkNumber {
  const kvkNumber = parseKvkNumber(text);
  if (kvkNumber !== undefined) return kvkNumber;
  throw new WrongUse(`A KVK number is exactly 8 digits; got ${quoted(text)}${lostZeroHint(text)}.`);
}

function held(companies: Companies, kvkNumber: KvkNumber, enrich: boolean): SomeCompany {
  const company = enrich
    ? foundIn(companies.atOnce("enriched", kvkNumber))?.company
    : foundIn(companies.atOnce("basic", kvkNumber));
  if (company !== undefined) return company;
  throw new CommandFailure(`The registry holds no company with number ${kvkNumber}.`);
}

function branchesOf(companies: Companies, kvkNumber: KvkNumber): BranchesOf {
  const { name, source } = held(companies, kvkNumber, false);
  const branches = foundIn(companies.atOnce("branches", kvkNumber))?.branches;
  if (branches !== undefined) return { kvkNumber, name, branches };
  throw new CommandFailure(
    `What ${source?.kvk ?? "the origin"} gave does not say which branches ${kvkNumber} has.`,
  );
}

/** A company, or why there is none, in the words of a service's batch. */
function oneOfMany(companies: Companies, text: string, enrich: boolean): SomeCompany | FailedNumber {
  try {
    return held(companies, numberOf(text), enrich);
  } catch (error) {
    if (error instanceof WrongUse) return failed(text, "INVALID_KVK_NUMBER", error.message);
    if (error instanceof CommandFailure) return failed(text, "NOT_FOUND", error.message);
    throw error;
  }
}

function failed(kvkNumber: string, code: string, message: string): FailedNumber {
  return { kvkNumber, error: { code, message } };
}

function foundIn<Found>(answer: Answer<Found> | undefined): Found | undefined {
  return answer?.kind === "found" ? answer.found : undefined;
}
