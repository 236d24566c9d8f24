import { Type } from "typebox";
import { type UsageRange, UsageRangeSchema } from "../../../contract/accountResources.ts";
import { ApiError } from "../../../contract/errors.ts";
import type { LedgerOperation } from "../../../contract/prices.ts";
import type { DayFigures, Figures, LedgerLine } from "../../../metering/ledger.ts";
import { linesInSteps } from "../../../metering/ledgerSteps.ts";
import { added, NO_FIGURES } from "../../../metering/usage.ts";
import { type AccountRoute, forSignedIn, type SignedInVisit } from "../route.ts";
import { namesOf } from "./keyNames.ts";

const DAY = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
const DAY_MS = 86_400_000;
/** A year, with a day to spare: what one answer may have to add up is bounded. */
const MOST_DAYS = 367;

const dayField = (which: string) =>
  Type.String({ pattern: DAY, description: `The ${which} day, UTC.`, "x-rule": "a day such as 2026-11-21" });

/** What was used from any day to another, by operation and by key, from the ledger's own lines. */
export const usageRangeRoutes: readonly AccountRoute[] = [
  forSignedIn({
    method: "GET",
    path: "/account/usage/range",
    status: 200,
    schema: {
      querystring: Type.Object({
        from: dayField("first"),
        to: dayField("last"),
        key: Type.Optional(
          Type.String({ maxLength: 64, description: "What the key of this id used alone." }),
        ),
      }),
      response: UsageRangeSchema,
    },
    handler: async ({ query: { from, to, key } }, visit): Promise<UsageRange> => {
      const { services, signedIn } = visit;
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      if (!(days >= 1 && days <= MOST_DAYS)) {
        throw new ApiError(
          "INVALID_REQUEST",
          `from and to are days of which from is not the later one, ${MOST_DAYS} days at most; ask for less at once`,
        );
      }
      const { id } = signedIn.person.account;
      const [live, test] = await Promise.all(
        [services.ledger, services.testLedger].map((ledger) =>
          sumsOf(visit, linesInSteps(ledger, id, from, to), key),
        ),
      );
      return { from, to, ...(live ?? NOTHING), ...(test && { test }) };
    },
  }),
];

type Sums = NonNullable<UsageRange["test"]>;

const NOTHING: Sums = { total: NO_FIGURES, byOperation: [], byKey: [] };

/**
 * Sums of lines, those of one key where that is named.
 * @returns undefined where there are none
 */
async function sumsOf(
  visit: SignedInVisit,
  steps: AsyncIterable<readonly LedgerLine[]>,
  keyAsked: string | undefined,
): Promise<Sums | undefined> {
  const [operations, keys] = [new Map<LedgerOperation, Figures>(), new Map<string, Figures>()];
  for await (const lines of steps) {
    for (const line of lines) {
      if (keyAsked !== undefined && line.keyId !== keyAsked) continue;
      add(operations, line.operation, line);
      add(keys, line.keyId, line);
    }
  }
  if (keys.size === 0) return undefined;
  const byKey = mostFirst(keys);
  const names = await namesOf(
    visit,
    visit.signedIn.person.account.id,
    byKey.map(([keyId]) => keyId),
  );
  return {
    total: [...operations.values()].reduce<Figures>(added, NO_FIGURES),
    byOperation: mostFirst(operations).map(([operation, figures]) => ({ operation, ...figures })),
    byKey: byKey.map(([keyId, figures]) => ({ keyId, ...names.get(keyId), ...figures })),
  };
}

/** Sums by what was called, what spent most first. */
export function byOperationOf(lines: readonly DayFigures[]): ({ operation: LedgerOperation } & Figures)[] {
  const sums = new Map<LedgerOperation, Figures>();
  for (const line of lines) add(sums, line.operation, line);
  return mostFirst(sums).map(([operation, figures]) => ({ operation, ...figures }));
}

function add<Name>(sums: Map<Name, Figures>, name: Name, line: Figures): void {
  sums.set(name, added(sums.get(name) ?? NO_FIGURES, line));
}

function mostFirst<Name>(sums: ReadonlyMap<Name, Figures>): [Name, Figures][] {
  return [...sums].sort(([, one], [, other]) => other.tokens - one.tokens || other.requests - one.requests);
}
