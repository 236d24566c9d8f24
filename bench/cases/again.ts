import { type BenchCase, callsFrom } from "./case.ts";

const common = {
  operation: "lookup",
  tier: "unlimited",
  itemsPerAnswer: 1,
  setups: ["sqlite", "postgres"],
} as const;

/** A client that holds the answer already: nothing is sent or charged. */
export const unchanged: BenchCase = {
  ...common,
  name: "lookup-unchanged",
  title: "basic lookup of what the client holds (304), free",
  expected: 304,
  holdsAnswers: true,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({ method: "GET", path: `/v1/lookup/${kvkNumber}` })),
};

/** Each call is made again and again under its own key: the first one is charged and kept, before anything is measured. */
export const repeated: BenchCase = {
  ...common,
  name: "lookup-repeated",
  title: "basic lookup under an Idempotency-Key, told again for nothing",
  expected: 200,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({
      method: "GET",
      path: `/v1/lookup/${kvkNumber}`,
      headers: { "idempotency-key": `bench-${random.bits()}-${kvkNumber}` },
    })),
};
