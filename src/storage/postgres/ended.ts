/**
 * How a transaction ended. `failed`: nothing was changed. `unknown`: the connection was cut around the commit; `resultOf`
 * tells the result of what {@link outcomeOf} finds committed.
 */
export type Ended<Result> =
  | { readonly kind: "committed"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown }
  | {
      readonly kind: "unknown";
      readonly error: unknown;
      /** @param granted what the batch's row holds of what the database granted, if it did */
      readonly resultOf: (granted: string | null) => Result;
    };
