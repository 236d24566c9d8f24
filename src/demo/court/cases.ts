import type { CompanyFacts } from "../../company/facts.ts";
import { publication } from "./publications.ts";
import { MIDDEN_NEDERLAND, type SimulatedCase, type SimulatedCurator } from "./register.ts";

const CURATOR: SimulatedCurator = {
  title: "mr.",
  initials: "A.",
  familyName: "Fabel",
  city: "Rommeldam",
  phone: "010-0000000",
};

/** The kinds of cases in turn, with their publications and the days before today on which they appeared. */
const COURSES = [
  ["F", [["1300", 40]]],
  ["S", [["3300", 20]]],
  [
    "F",
    [
      ["1300", 400],
      ["1316", 30],
    ],
  ],
] as const;
const MAX_CASES = 30;
/** One company in so many has a case. */
const EVERY = 50;
const DAY_MS = 86_400_000;

/** Cases of some of these companies that are active and have an RSIN. */
export function* demoCases(companies: Iterable<CompanyFacts>, nowMs = Date.now()): Generator<SimulatedCase> {
  let seen = 0;
  for (const { kvkNumber, name, rsin, isActive } of companies) {
    if (rsin === undefined || isActive !== true || ++seen % EVERY !== 0) continue;
    const index = seen / EVERY - 1;
    if (index === MAX_CASES) return;
    const [kind, course] = COURSES[index % COURSES.length] ?? COURSES[0];
    const dayOf = (daysAgo: number) => new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10);
    yield {
      caseNumber: `${kind}.16/${dayOf(0).slice(2, 4)}/${100 + index}`,
      court: MIDDEN_NEDERLAND,
      isLegalPerson: true,
      name,
      kvkNumber,
      curators: [CURATOR],
      publications: course.map(([code, daysAgo]) => publication(code, dayOf(daysAgo))),
    };
  }
}
