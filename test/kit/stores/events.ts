/** For tests: arbitrary event histories of a state store, for fast-check. */
import fc from "fast-check";

/** Accounts and keys are given by index, reservations by age. */
export type Event =
  | { readonly kind: "batch"; readonly requests: readonly PlannedRequest[] }
  | { readonly kind: "clock"; readonly byMs: number }
  | { readonly kind: "tier"; readonly account: number; readonly tierName: string }
  | { readonly kind: "suspend"; readonly account: number; readonly isSuspended: boolean }
  | { readonly kind: "revoke"; readonly key: number }
  | { readonly kind: "expiry"; readonly key: number; readonly inMs: number | null }
  | { readonly kind: "addresses"; readonly key: number; readonly isForSome: boolean };

export type PlannedRequest =
  | (PlannedCall & { readonly kind: "call"; readonly share: number })
  | (PlannedCall & { readonly kind: "reserve"; readonly lifetimeMs: number })
  | { readonly kind: "settle"; readonly ago: number; readonly share: number }
  | { readonly kind: "refusals"; readonly key: number; readonly count: number };

interface PlannedCall {
  readonly key: number;
  readonly price: number;
  readonly isCounted: boolean;
  /** One of a few typing sessions of the key. */
  readonly session: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MONTH_MS = 31 * 24 * HOUR_MS;

const key = fc.nat(4);
const price = fc.constantFrom(0, 1, 1, 5, 7);
/** Share of the price. */
const share = fc.constantFrom(0, 0.2, 1);

const isCounted = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true));

const session = fc.constantFrom(null, null, 0, 1);

const plannedRequest: fc.Arbitrary<PlannedRequest> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("call" as const), key, price, share, isCounted, session }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("reserve" as const),
      key,
      price,
      isCounted,
      session,
      lifetimeMs: fc.constantFrom(1_000, 40_000, 2 * HOUR_MS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("settle" as const), ago: fc.nat(6), share }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("refusals" as const),
      key,
      count: fc.integer({ min: 1, max: 9 }),
    }),
  },
);

const clock = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 2 * MINUTE_MS }) },
  { weight: 3, arbitrary: fc.integer({ min: -2 * MINUTE_MS, max: 0 }) },
  { weight: 2, arbitrary: fc.constantFrom(4, -4, 5, -5, 6, -6).map((minutes) => minutes * MINUTE_MS) },
  { weight: 2, arbitrary: fc.constantFrom(3 * HOUR_MS, -3 * HOUR_MS, MONTH_MS, -MONTH_MS, -3 * MONTH_MS) },
);

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      requests: fc.array(plannedRequest, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("clock" as const), byMs: clock }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({
        kind: fc.constant("tier" as const),
        account: fc.nat(1),
        tierName: fc.constantFrom("small", "large", "gone"),
      }),
      fc.record({ kind: fc.constant("suspend" as const), account: fc.nat(1), isSuspended: fc.boolean() }),
      fc.record({ kind: fc.constant("revoke" as const), key }),
      fc.record({
        kind: fc.constant("expiry" as const),
        key,
        inMs: fc.constantFrom(null, null, 1_000, MINUTE_MS, HOUR_MS),
      }),
      fc.record({ kind: fc.constant("addresses" as const), key, isForSome: fc.boolean() }),
    ),
  },
);

export const events: fc.Arbitrary<readonly Event[]> = fc.array(event, { minLength: 3, maxLength: 24 });

const typed = {
  key: fc.constant(2),
  price: fc.constant(1),
  isCounted: fc.constant(true),
  session: fc.constant(0),
};

/** Batches of one session of one key, long enough for all of its places. */
const typing: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      requests: fc.array<PlannedRequest>(
        fc.oneof(
          {
            weight: 6,
            arbitrary: fc.record({
              ...typed,
              kind: fc.constant("reserve" as const),
              lifetimeMs: fc.constantFrom(40_000, 120_000),
            }),
          },
          {
            weight: 5,
            arbitrary: fc.record({
              kind: fc.constant("settle" as const),
              ago: fc.nat(60),
              share: fc.constantFrom(0, 1),
            }),
          },
          {
            weight: 1,
            arbitrary: fc.record({
              ...typed,
              kind: fc.constant("call" as const),
              share: fc.constantFrom(0, 1),
            }),
          },
        ),
        { minLength: 1, maxLength: 60 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("clock" as const), byMs: fc.integer({ min: 0, max: 70_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("tier" as const),
      account: fc.constant(1),
      tierName: fc.constantFrom("two", "large"),
    }),
  },
);

export const typingEvents: fc.Arbitrary<readonly Event[]> = fc.array(typing, { minLength: 3, maxLength: 12 });
