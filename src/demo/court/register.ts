import type { CompanyFacts } from "../../company/facts.ts";
import { escapeXml } from "../../insolvency/court/soap.ts";

/** A case of the simulated court. */
export interface SimulatedCase {
  /** `F.16/26/100`: kind, system of the court, year and number. */
  readonly caseNumber: string;
  /** Letters as in references. */
  readonly court: { readonly code: string; readonly letters: string; readonly name: string };
  readonly isLegalPerson?: boolean;
  /** The registered name, or a family name. */
  readonly name: string;
  readonly kvkNumber?: string;
  /** The content of `adres`, XML. */
  readonly address?: string;
  readonly isAddressSecret?: true;
  /** Elements `handelendOnderDeNaam`, XML. */
  readonly tradeNames?: string;
  /** Elements `cbv`, XML. */
  readonly curators?: string;
  readonly publications: readonly ReturnType<typeof publication>[];
  readonly previousCaseNumber?: string;
  readonly visibleUntil?: string;
}

export const MIDDEN_NEDERLAND = { code: "42", letters: "mne", name: "Rechtbank Midden-Nederland" } as const;
export const ROTTERDAM = { code: "46", letters: "rot", name: "Rechtbank Rotterdam" } as const;

const DAY_MS = 86_400_000;
const DAY = new Intl.DateTimeFormat("nl-NL", { dateStyle: "long", timeZone: "UTC" });
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A publication with the day of the ruling in its text: `uitspraak op 3 november 2026`. */
export function publication(code: string, publishedOn: string, ruledOn = publishedOn) {
  return { code, publishedOn, text: `uitspraak op ${DAY.format(Date.parse(ruledOn))}` };
}

/** The cases of a simulated court. Its clock stands still, except that each change takes a second. */
export class CourtRegister {
  /** In the order of their changes. */
  readonly #cases = new Map<string, { facts: SimulatedCase; removed: string | undefined; atMs: number }>();
  #nowMs: number;

  constructor(cases: Iterable<SimulatedCase> = [], startMs = Date.now()) {
    this.#nowMs = startMs;
    for (const facts of cases) this.put(facts);
  }

  /** The court's date of a list, as the court writes it. */
  get extractedAt(): string {
    return new Date(this.#nowMs).toISOString().replace("Z", "0000+00:00");
  }

  /** YYYY-MM-DD */
  get today(): string {
    return dayOf(this.#nowMs);
  }

  get all(): readonly SimulatedCase[] {
    return this.#changedSince("2000-01-01", false).map(({ facts }) => facts);
  }

  /** Adds or replaces a case. @param removed why it is gone */
  put(facts: SimulatedCase, removed?: string): void {
    this.#nowMs += 1_000;
    this.#cases.delete(facts.caseNumber);
    this.#cases.set(facts.caseNumber, { facts, removed, atMs: this.#nowMs });
  }

  /** Publishes something about a case today. @param ruledOn the day in its text, today by default */
  publish(caseNumber: string, code: string, ruledOn = this.today): void {
    const facts = this.#find(caseNumber);
    this.put({ ...facts, publications: [...facts.publications, publication(code, this.today, ruledOn)] });
  }

  /**
   * Ends a case by a conversion or a move, and opens the case in which it goes on.
   * @param codes of the publications that end the one and declare the other: 3313 and 1306, 1334 and 1300
   */
  continueAs(
    caseNumber: string,
    codes: { readonly ends: string; readonly declares: string },
    changes: Partial<SimulatedCase> & Pick<SimulatedCase, "caseNumber">,
  ): void {
    this.publish(caseNumber, codes.ends);
    const publications = [publication(codes.declares, this.today)];
    this.put({ ...this.#find(caseNumber), ...changes, publications, previousCaseNumber: caseNumber });
  }

  remove(caseNumber: string, reason = "Eindevindbaarheid"): void {
    this.put(this.#find(caseNumber), reason);
  }

  /** Lets days pass. Cases whose visibility ends are removed. */
  passDays(days = 1): void {
    this.#nowMs += days * DAY_MS;
    for (const { caseNumber, visibleUntil = this.today } of this.all) {
      if (visibleUntil < this.today) this.remove(caseNumber);
    }
  }

  /** The list of references of the cases that are new or have changed, XML. */
  modifiedSince(moment: string): string {
    const changed = this.#changedSince(moment, false);
    return changed.map(({ facts }) => tag("publicatieKenmerk", referencesOf(facts).at(-1))).join("");
  }

  /** The list of removed cases, XML. */
  removedSince(moment: string): string {
    const removals = this.#changedSince(moment, true).map(({ facts, removed }) => [
      tag("insolventienummer", facts.caseNumber),
      tag("publicatieKenmerk", referencesOf(facts).at(-1)),
      tag("reden", removed),
    ]);
    return removals
      .map((parts) => `<verwijderdeInsolventie>${parts.join("")}</verwijderdeInsolventie>`)
      .join("");
  }

  /** The case with a publication of this reference. */
  caseOf(reference: string): SimulatedCase | undefined {
    return this.all.find((facts) => referencesOf(facts).includes(reference));
  }

  #changedSince(moment: string, isRemoved: boolean) {
    return [...this.#cases.values()].filter(
      ({ removed, atMs }) => atMs > Date.parse(moment) && (removed !== undefined) === isRemoved,
    );
  }

  #find(caseNumber: string): SimulatedCase {
    const found = this.#cases.get(caseNumber);
    if (found === undefined) throw new RangeError(`There is no case ${caseNumber}.`);
    return found.facts;
  }
}

/** The references of all publications of a case: `16.mne.26.100.F.1300.1.26`. */
export function referencesOf({ caseNumber, court, publications }: SimulatedCase): readonly string[] {
  const [kind = "", system = "", year = "", number = ""] = caseNumber.split(/[./]/);
  return publications.map(({ code, publishedOn }, index) => {
    const sequence = publications.slice(0, index + 1).filter((other) => other.code === code).length;
    return [system, court.letters, year, number, kind, code, sequence, publishedOn.slice(2, 4)].join(".");
  });
}

/** An element with a text; none for undefined. */
export function tag(name: string, text: string | undefined): string {
  return text === undefined ? "" : `<${name}>${escapeXml(text)}</${name}>`;
}

/** The kinds of demo cases, with their publications and the days before today on which they appeared. */
const BANKRUPT = { kind: "F", course: { 1300: 40 } };
const COURSES = [
  { kind: "S", course: { 3300: 20 } },
  { kind: "F", course: { 1300: 400, 1316: 30 } },
];
const MAX_CASES = 30;
/** One company in so many has a case. */
const EVERY = 50;
const CURATOR =
  "<cbv><titulatuur>mr.</titulatuur><voorletters>A.</voorletters><achternaam>Fabel</achternaam><CB>C</CB>" +
  "<adres><plaats>Rommeldam</plaats><telefoonnummer>010-0000000</telefoonnummer></adres></cbv>";

/** Cases of some of these companies that are active and have an RSIN. */
export function demoCases(companies: Iterable<CompanyFacts>, nowMs = Date.now()): readonly SimulatedCase[] {
  return [...companies]
    .filter(({ rsin, isActive }) => rsin !== undefined && isActive === true)
    .filter((_, index) => index % EVERY === EVERY - 1)
    .slice(0, MAX_CASES)
    .map(({ name, kvkNumber }, index) => {
      const { kind, course } = COURSES[(index % 3) - 1] ?? BANKRUPT;
      return {
        caseNumber: `${kind}.16/${dayOf(nowMs).slice(2, 4)}/${100 + index}`,
        ...{ court: MIDDEN_NEDERLAND, name, kvkNumber, curators: CURATOR },
        publications: Object.entries(course).map(([code, daysAgo]) =>
          publication(code, dayOf(nowMs - daysAgo * DAY_MS)),
        ),
      };
    });
}
