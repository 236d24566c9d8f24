import { publication, type SimulatedPublication } from "./publications.ts";

export interface SimulatedAddress {
  /** VEST: of a business; WOON: of a home. */
  readonly type: "VEST" | "WOON" | "CORR" | "VRHN";
  readonly street: string;
  readonly houseNumber: number;
  readonly letter?: string;
  readonly addition?: string;
  /** `1234AB` */
  readonly postalCode: string;
  readonly city: string;
}

export interface SimulatedTradeName {
  readonly name: string;
  readonly kvkNumber?: string;
  readonly isFormer?: true;
  readonly address?: SimulatedAddress;
}

export interface SimulatedCurator {
  readonly title?: string;
  readonly initials: string;
  readonly prefix?: string;
  readonly familyName: string;
  readonly city: string;
  readonly phone?: string;
  /** YYYY-MM-DD, of one who has been replaced. */
  readonly endedOn?: string;
}

/** A case of the simulated court. */
export interface SimulatedCase {
  /** `F.16/26/100`: kind, system of the court, year and number. */
  readonly caseNumber: string;
  /** Letters as in references. */
  readonly court: { readonly code: string; readonly letters: string; readonly name: string };
  readonly isLegalPerson: boolean;
  /** The registered name, or a family name. */
  readonly name: string;
  readonly initials?: string;
  readonly bornOn?: string;
  readonly kvkNumber?: string;
  readonly address?: SimulatedAddress;
  readonly isAddressSecret?: true;
  readonly tradeNames?: readonly SimulatedTradeName[];
  readonly curators?: readonly SimulatedCurator[];
  readonly publications: readonly SimulatedPublication[];
  readonly previousCaseNumber?: string;
  readonly visibleUntil?: string;
}

export interface SimulatedRemoval {
  readonly caseNumber: string;
  readonly reference: string;
  readonly reason: string;
}

export const MIDDEN_NEDERLAND = { code: "42", letters: "mne", name: "Rechtbank Midden-Nederland" } as const;
export const ROTTERDAM = { code: "46", letters: "rot", name: "Rechtbank Rotterdam" } as const;

const DAY_MS = 86_400_000;
const EXPIRED = "Eindevindbaarheid";

/** The cases of a simulated court. Its clock stands still, except that each change takes a second. */
export class CourtRegister {
  readonly #cases = new Map<string, { readonly facts: SimulatedCase; readonly changedAtMs: number }>();
  readonly #removed = new Map<string, SimulatedRemoval & { readonly atMs: number }>();
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
    return new Date(this.#nowMs).toISOString().slice(0, 10);
  }

  get all(): readonly SimulatedCase[] {
    return [...this.#cases.values()].map(({ facts }) => facts);
  }

  /** Adds or replaces a case. */
  put(facts: SimulatedCase): void {
    this.#nowMs += 1_000;
    this.#removed.delete(facts.caseNumber);
    this.#cases.set(facts.caseNumber, { facts, changedAtMs: this.#nowMs });
  }

  /** Changes a case. @throws {RangeError} when there is none */
  change(caseNumber: string, changes: Partial<SimulatedCase>): void {
    this.put({ ...this.#factsOf(caseNumber), ...changes });
  }

  /** Publishes something about a case today. @param ruledOn the day in its text, today by default */
  publish(caseNumber: string, code: string, ruledOn = this.today): void {
    const { publications } = this.#factsOf(caseNumber);
    this.change(caseNumber, { publications: [...publications, publication(code, this.today, ruledOn)] });
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
    const facts = this.#factsOf(caseNumber);
    this.publish(caseNumber, codes.ends);
    const publications = [publication(codes.declares, this.today)];
    this.put({ ...facts, ...changes, publications, previousCaseNumber: caseNumber });
  }

  remove(caseNumber: string, reason = EXPIRED): void {
    this.#nowMs += 1_000;
    const reference = lastReferenceOf(this.#factsOf(caseNumber));
    this.#cases.delete(caseNumber);
    this.#removed.set(caseNumber, { caseNumber, reference, reason, atMs: this.#nowMs });
  }

  /** Lets days pass. Cases whose visibility ends are removed. */
  passDays(days = 1): void {
    this.#nowMs += days * DAY_MS;
    for (const { caseNumber, visibleUntil } of this.all) {
      if (visibleUntil !== undefined && visibleUntil < this.today) this.remove(caseNumber);
    }
  }

  /** References of the cases that are new or have changed. */
  modifiedSince(moment: string): readonly string[] {
    const since = [...this.#cases.values()].filter(({ changedAtMs }) => changedAtMs > Date.parse(moment));
    return since.map(({ facts }) => lastReferenceOf(facts));
  }

  removedSince(moment: string): readonly SimulatedRemoval[] {
    return [...this.#removed.values()].filter(({ atMs }) => atMs > Date.parse(moment));
  }

  /** The case with a publication of this reference. */
  caseOf(reference: string): SimulatedCase | undefined {
    const [system, , year, number, kind] = reference.split(".");
    const facts = this.#cases.get(`${kind}.${system}/${year}/${number}`)?.facts;
    return facts !== undefined && referencesOf(facts).includes(reference) ? facts : undefined;
  }

  #factsOf(caseNumber: string): SimulatedCase {
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

function lastReferenceOf(facts: SimulatedCase): string {
  return referencesOf(facts).at(-1) ?? "";
}
