import type { CompanyFacts } from "../../company/facts.ts";
import { generateCompanies } from "../registry/generateCompanies.ts";
import { ODD_COMPANIES, ODD_NUMBERS } from "./oddCompanies.ts";
import { type Wire, wireOf } from "./profiles.ts";

/** A company of the simulated registry. */
export interface Registered {
  readonly facts: CompanyFacts;
  readonly wire: Wire;
}

const GENERATED = { companies: 1_500, seed: 5 };

/** All companies of the simulator, by KVK number and by branch number. */
export class Register {
  readonly #byNumber = new Map<string, Registered>();
  readonly #byBranch = new Map<string, Registered>();

  /** @param companies added to the odd ones; generated ones by default */
  constructor(companies?: Iterable<CompanyFacts>) {
    const usual =
      companies === undefined
        ? generatedCompanies()
        : Array.from(companies, (facts) => ({ facts, wire: wireOf(facts) }));
    const odd = ODD_COMPANIES.map(({ facts, change = (wire: Wire) => wire }) => ({
      facts,
      wire: change(wireOf(facts)),
    }));
    for (const registered of [...usual, ...odd]) this.#add(registered);
  }

  /** Adds or replaces a company. */
  put(facts: CompanyFacts): void {
    this.#add({ facts, wire: wireOf(facts) });
  }

  #add(registered: Registered): void {
    this.#byNumber.set(registered.facts.kvkNumber, registered);
    for (const branch of Object.keys(registered.wire.vestigingsprofielen)) {
      this.#byBranch.set(branch, registered);
    }
  }

  company(kvkNumber: string): Registered | undefined {
    return this.#byNumber.get(kvkNumber);
  }

  ofBranch(branchNumber: string): Registered | undefined {
    return this.#byBranch.get(branchNumber);
  }

  /** The code of a number for which KVK returns a special error. */
  errorOf(kvkNumber: string): string | undefined {
    return Object.hasOwn(ODD_NUMBERS, kvkNumber) ? ODD_NUMBERS[kvkNumber] : undefined;
  }

  get all(): Iterable<Registered> {
    return this.#byNumber.values();
  }
}

let generated: readonly Registered[] | undefined;

/** Generated once per process, because all simulators have the same ones. */
function generatedCompanies(): readonly Registered[] {
  generated ??= Array.from(generateCompanies(GENERATED), ({ facts }) => ({ facts, wire: wireOf(facts) }));
  return generated;
}
