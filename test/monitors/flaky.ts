import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";

/**
 * The fate of a call: it fails before or after its work is done, and the process may be killed at that moment; or the
 * process stalls before the call until its lease is over.
 */
export type Fate = "pass" | "stall" | "fail before" | "fail after" | "die before" | "die after";

/** Calls of other processes during a stall. */
const STALL_TURNS = 40;

/** A failure that a test causes. */
export class Injected extends StoreUnavailable {
  constructor() {
    super("a test interrupts it");
  }
}

/** The connections of one process. Its calls meet their fates in turn; after its death none arrives. */
export class FlakyProcess {
  readonly #fates: Fate[];
  readonly #endLeases: () => void;
  #isDead = false;

  /**
   * @param fates of the first calls; the others pass
   * @param endLeases lets time pass
   */
  constructor(fates: readonly Fate[] = [], endLeases: () => void = () => {}) {
    this.#fates = [...fates];
    this.#endLeases = endLeases;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    // Calls of several processes mix.
    await nextTurn();
    if (this.#isDead) throw new Injected();
    const fate = this.#fates.shift() ?? "pass";
    if (fate === "stall") {
      this.#endLeases();
      for (let turn = 0; turn < STALL_TURNS; turn++) await nextTurn();
    }
    if (fate.startsWith("die")) this.#isDead = true;
    if (fate.endsWith("before")) throw new Injected();
    const result = await work();
    if (fate.endsWith("after")) throw new Injected();
    return result;
  }

  /** The same object, whose methods are called through {@link call}. */
  wrap<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        return (...parameters: unknown[]) =>
          this.call(async () => Reflect.apply(member, object, parameters) as unknown);
      },
    });
  }
}

/** @throws all errors that a test did not cause */
export function ignoreInjected(error: unknown): void {
  if (!(error instanceof Injected)) throw error;
}
