import type { CompanyFacts } from "../../company/facts.ts";
import { generateCompanies } from "../../demo/generateCompanies.ts";
import { ODD_COMPANIES, ODD_NUMBERS } from "./oddCompanies.ts";
import { type Wire, wireOf } from "./profiles.ts";

/** One company of the simulated registry. */
export interface Registered {
  readonly facts: CompanyFacts;
  readonly wire: Wire;
}

const GENERATED = 1_500;
const SEED = 5;

/** Every company that the simulator knows, by KVK number and by branch number. */
export class Register {
  readonly #byNumber = new Map<string, Registered>();
  readonly #byBranch = new Map<string, Registered>();

  /** @param companies beside the odd ones; those of the demo's generator unless given */
  constructor(companies?: Iterable<CompanyFacts>) {
    const usual = companies === undefined ? generatedOnce() : Array.from(companies, registeredAs);
    for (const registered of usual) this.#add(registered);
    for (const { facts, change = (wire: Wire) => wire } of ODD_COMPANIES) {
      this.#add({ facts, wire: change(wireOf(facts)) });
    }
  }

  company(kvkNumber: string): Registered | undefined {
    return this.#byNumber.get(kvkNumber);
  }

  ofBranch(branchNumber: string): Registered | undefined {
    return this.#byBranch.get(branchNumber);
  }

  /** The code of a number that KVK answers with an error of its own. */
  errorOf(kvkNumber: string): string | undefined {
    return Object.hasOwn(ODD_NUMBERS, kvkNumber) ? ODD_NUMBERS[kvkNumber] : undefined;
  }

  get all(): Iterable<Registered> {
    return this.#byNumber.values();
  }

  #add(registered: Registered): void {
    this.#byNumber.set(registered.facts.kvkNumber, registered);
    for (const number of Object.keys(registered.wire.vestigingsprofielen))
      this.#byBranch.set(number, registered);
  }
}

function registeredAs(facts: CompanyFacts): Registered {
  return { facts, wire: wireOf(facts) };
}

let generated: readonly Registered[] | undefined;

/** The same in every simulator, so made once. */
function generatedOnce(): readonly Registered[] {
  generated ??= Array.from(generateCompanies({ companies: GENERATED, seed: SEED }), ({ facts }) =>
    registeredAs(facts),
  );
  return generated;
}
