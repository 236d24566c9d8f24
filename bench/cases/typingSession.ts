import type { BenchCase, CaseCall } from "./case.ts";

/** People that type, each a name, letter by letter. */
const TYPISTS = 2_000;
const SHORTEST = 2;
const LONGEST = 14;

/** The same as `autocomplete`, but for what people send: each letter in a session, of which the first call is paid for. */
export const typingSession: BenchCase = {
  name: "autocomplete-session",
  title: "autocomplete of 2 to 14 characters, in sessions",
  operation: "autocomplete",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  setups: ["sqlite", "postgres"],
  calls: (companies, random) =>
    Array.from({ length: TYPISTS }, (_, typist) => {
      const { name } = random.pick(companies);
      return strokesOf(name.toLowerCase().padEnd(SHORTEST, "a"), `bench-typing-${typist}-${random.bits()}`);
    }).flat(),
};

function strokesOf(name: string, session: string): CaseCall[] {
  const lengths = Array.from({ length: LONGEST - SHORTEST + 1 }, (_, index) => SHORTEST + index);
  return lengths
    .filter((length) => length <= name.length)
    .map((length) => {
      const query = new URLSearchParams({ q: name.slice(0, length).trim().padEnd(SHORTEST, "a"), session });
      return { method: "GET", path: `/v1/autocomplete?${query}` };
    });
}
