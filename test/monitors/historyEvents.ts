/** For tests: the events of random histories, and the processes at work meanwhile. */
import fc from "fast-check";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { type KvkNumber, kvkNumberOf } from "../../src/contract/numbers.ts";
import type { Fate } from "./flaky.ts";
import { type Facts, SPELLINGS } from "./model.ts";

export const COMPANIES: readonly KvkNumber[] = [1, 2, 3, 4].map((nth) => kvkNumberOf(50_000_000 + nth));
export const ORIGINS = ["gleif", "import:crm"] as const;

export interface Row {
  readonly company: number;
  readonly origin: (typeof ORIGINS)[number];
  readonly facts: Facts;
}

export type Event =
  | { readonly kind: "import"; readonly rows: readonly Row[]; readonly isOld: boolean }
  | { readonly kind: "answer"; readonly company: number; readonly facts: Facts }
  | {
      readonly kind: "add";
      readonly account: number;
      readonly companies: readonly number[];
      readonly isSelective: boolean;
    }
  | { readonly kind: "remove"; readonly account: number; readonly nth: number }
  | { readonly kind: "forget"; readonly company: number }
  | { readonly kind: "suspend"; readonly account: number; readonly isSuspended: boolean }
  | { readonly kind: "tier"; readonly account: number; readonly tierName: string }
  | { readonly kind: "cap"; readonly account: number; readonly maxTokens: number | null }
  | { readonly kind: "month" }
  | { readonly kind: "rollback" };

const ALL = COMPANIES.map((_, nth) => nth);
const FIRST: Facts = { name: "Sprookje", isActive: true, street: "Markt", city: "Leiden" };

const spelled = (from: number, to: number) => fc.constantFrom(...SPELLINGS.slice(from, to).flat());

/** Every history begins with companies that both accounts monitor. */
export const BEGINNING: readonly Event[] = [
  {
    kind: "import",
    rows: ORIGINS.flatMap((origin) => ALL.map((company) => ({ company, origin, facts: FIRST }))),
    isOld: false,
  },
  { kind: "add", account: 0, companies: ALL, isSelective: false },
  { kind: "add", account: 1, companies: ALL.slice(1), isSelective: true },
];

/**
 * Processes at work while something happens: their failures, by how many snapshots each lags behind, and whether it
 * also adds monitors.
 */
export type Storm = readonly {
  readonly fates: readonly Fate[];
  readonly lag: number;
  readonly isAdding: boolean;
}[];

const company = fc.nat(COMPANIES.length - 1);
const account = fc.nat(1);
const facts = fc.record({
  name: spelled(0, 3),
  isActive: fc.boolean(),
  street: fc.option(spelled(3, 5), { nil: undefined, freq: 6 }),
  city: spelled(5, 7),
});

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      rows: fc.array(fc.record({ company, origin: fc.constantFrom(...ORIGINS), facts }), {
        minLength: 1,
        maxLength: 4,
      }),
      isOld: fc.nat(5).map((nth) => nth === 0),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("answer" as const), company, facts }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      account,
      companies: fc.uniqueArray(company, { minLength: 1 }),
      isSelective: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), account, nth: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("forget" as const), company }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("suspend" as const), account, isSuspended: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("tier" as const),
      account,
      tierName: fc.constantFrom("two", "small"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("cap" as const),
      account,
      maxTokens: fc.option(fc.nat(3), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("month" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rollback" as const) }) },
);

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant("pass" as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "stall" as const,
      "stall" as const,
      "fail before" as const,
      "fail after" as const,
      "die before" as const,
      "die after" as const,
    ),
  },
);

const storm: fc.Arbitrary<Storm> = fc.array(
  fc.record({
    fates: fc.array(fate, { maxLength: 25 }),
    lag: fc.oneof(fc.constant(0), fc.nat(2)),
    isAdding: fc.boolean(),
  }),
  { maxLength: 3 },
);

export const history = fc.array(fc.tuple(event, storm), { minLength: 8, maxLength: 16 });

export function companyFacts(
  kvkNumber: KvkNumber | undefined,
  { name, isActive, street, city }: Facts,
): CompanyFacts {
  if (kvkNumber === undefined) throw new Error("there is no such company");
  const address =
    street === undefined
      ? ({ kind: "visiting", city, isShielded: true } as const)
      : ({ kind: "visiting", street, city } as const);
  return { kvkNumber, name, isActive, address };
}
