import { type Fault, type FaultTarget, faultProblem } from "./fault.ts";

/** A fault as one request meets it: what depends on the number of requests is decided. */
export type MetFault = Exclude<Fault, { kind: "flapping" | "slowStart" }>;

interface Posted {
  readonly fault: Fault;
  /** Requests that met it. */
  met: number;
}

/** The faults that are set now. */
export class FaultBoard {
  readonly #posted = new Map<FaultTarget, Posted>();
  readonly #waiting = new Set<() => void>();

  /**
   * Sets the fault of a target, in place of the one it had; undefined takes it away.
   * @throws {RangeError} when it is none
   */
  set(target: FaultTarget, fault: Fault | undefined): void {
    if (fault === undefined) this.#posted.delete(target);
    else {
      const problem = faultProblem(fault);
      if (problem !== undefined) throw new RangeError(problem);
      this.#posted.set(target, { fault, met: 0 });
    }
    this.#wake();
  }

  clear(): void {
    this.#posted.clear();
    this.#wake();
  }

  get(target: FaultTarget): Fault | undefined {
    return this.#posted.get(target)?.fault;
  }

  all(): Readonly<Record<string, Fault>> {
    return Object.fromEntries([...this.#posted].map(([target, { fault }]) => [target, fault]));
  }

  /** Counts a request and tells what it meets. A state without a fault of its own meets that of `*`. */
  meet(target: FaultTarget): MetFault | undefined {
    const posted =
      this.#posted.get(target) ?? (target === "check-status" ? undefined : this.#posted.get("*"));
    if (posted === undefined) return undefined;
    const { fault, met } = posted;
    posted.met += 1;
    if (fault.kind === "flapping") {
      const fails = fault.first === undefined ? met % 2 === 0 : met < fault.first;
      return fails ? { kind: "code", code: fault.code } : undefined;
    }
    if (fault.kind === "slowStart") {
      const left = Math.max(0, fault.over - met) / fault.over;
      return left === 0 ? undefined : { kind: "latency", ms: Math.round(fault.ms * left) };
    }
    return fault;
  }

  /** Waits until the faults change, or until `gone`. */
  changed(gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        gone.removeEventListener("abort", done);
        resolve();
      };
      if (gone.aborted) return resolve();
      this.#waiting.add(done);
      gone.addEventListener("abort", done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
