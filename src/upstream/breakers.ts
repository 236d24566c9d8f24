import { Breaker, type BreakerTerms, type CallOutcome, type Probe } from "./breaker.ts";

/** The result of a call, as far as it shows what works. */
export interface CallResult<Scope extends string> {
  readonly kind: string;
  /** The extent of a failure; absent after an answer. */
  readonly scope?: Scope;
  readonly reason?: string;
  /** Whether the upstream itself reports the failure. */
  readonly isFromUpstream?: boolean;
  /** Whether an immediate retry can help. */
  readonly isTransient?: boolean;
  /** The pause that the upstream asks for. */
  readonly retryAfterSeconds?: number;
}

/** A part of an upstream that can fail by itself, and so has a breaker of its own. */
export interface GuardedPart<Scope extends string> extends BreakerTerms {
  /** Its name in reports. */
  readonly name: string;
  /** Whether each target of calls is such a part, reported by the target's name. */
  readonly isPerTarget?: boolean;
  /** The scopes of failures that count against it. */
  readonly failedBy: readonly Scope[];
  /** The scopes of failures that show that it works, when the upstream itself reports them. */
  readonly clearedBy: readonly Scope[];
}

export interface BreakerOptions {
  /** A monotonic clock, milliseconds: a clock set back would keep a breaker open. */
  readonly now?: () => number;
  /** Called when a breaker opens or closes; `what` is the name of its part. */
  readonly onChange?: (what: string, isOpen: boolean, reason: string) => void;
}

export interface ShownBreaker {
  readonly what: string;
  readonly isOpen: boolean;
}

interface Guard<Scope extends string> {
  readonly name: string;
  readonly part: GuardedPart<Scope>;
  readonly breaker: Breaker;
}

/** The breakers of an upstream. A call is made if the breakers of all parts that it needs permit it. */
export class Breakers<Target extends string, Scope extends string> {
  readonly #parts: readonly GuardedPart<Scope>[];
  readonly #now: () => number;
  readonly #onChange: BreakerOptions["onChange"];
  readonly #shared: readonly Guard<Scope>[];
  readonly #ofTargets = new Map<Target, readonly Guard<Scope>[]>();

  constructor(
    parts: readonly GuardedPart<Scope>[],
    { now = () => performance.now(), onChange }: BreakerOptions = {},
  ) {
    this.#parts = parts;
    this.#now = now;
    this.#onChange = onChange;
    this.#shared = parts
      .filter((part) => part.isPerTarget !== true)
      .map((part) => ({ name: part.name, part, breaker: new Breaker(part) }));
  }

  /** Whether a call to this target would be permitted now. */
  permits(target: Target): boolean {
    const nowMs = this.#now();
    return this.#guardsOf(target).every(({ breaker }) => breaker.permits(nowMs));
  }

  /** Runs `call`; undefined when a breaker is open. Rejects only when `call` does. */
  async run<Result extends CallResult<Scope>>(
    target: Target,
    call: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!this.permits(target)) return undefined;
    const entered = this.#guardsOf(target).map((guard) => ({ guard, probe: guard.breaker.enter() }));
    let result: Result | undefined;
    try {
      result = await call();
      return result;
    } finally {
      // Also after a throw: a probe that never ends would keep the breaker open forever.
      for (const { guard, probe } of entered) this.#leave(guard, probe, result);
    }
  }

  /** The failing parts: their breakers are open, or opened within the last minute without a success since. */
  get failing(): { readonly isShared: boolean; readonly targets: readonly Target[] } {
    const nowMs = this.#now();
    const isFailing = ({ breaker }: Guard<Scope>) => breaker.isFailing(nowMs);
    return {
      isShared: this.#shared.some(isFailing),
      targets: [...this.#ofTargets].filter(([, guards]) => guards.some(isFailing)).map(([target]) => target),
    };
  }

  /** The breakers that all targets share, and the open ones of targets. */
  get shown(): readonly ShownBreaker[] {
    const nowMs = this.#now();
    const shownOf = ({ name, breaker }: Guard<Scope>) => ({ what: name, isOpen: !breaker.permits(nowMs) });
    const ofTargets = [...this.#ofTargets.values()].flat().map(shownOf);
    return [...this.#shared.map(shownOf), ...ofTargets.filter(({ isOpen }) => isOpen)];
  }

  #leave({ name, part, breaker }: Guard<Scope>, probe: Probe, result: CallResult<Scope> | undefined): void {
    const wasOpen = breaker.isOpen;
    const pauseMs = 1_000 * (result?.retryAfterSeconds ?? 0);
    breaker.leave(callOutcome(part, result), this.#now(), probe, pauseMs);
    if (breaker.isOpen === wasOpen) return;
    this.#onChange?.(name, breaker.isOpen, result === undefined ? "" : (result.reason ?? "answered"));
  }

  #guardsOf(target: Target): readonly Guard<Scope>[] {
    const known = this.#ofTargets.get(target);
    const own =
      known ??
      this.#parts
        .filter((part) => part.isPerTarget === true)
        .map((part) => ({ name: target, part, breaker: new Breaker(part) }));
    if (known === undefined) this.#ofTargets.set(target, own);
    return [...this.#shared, ...own];
  }
}

/** The outcome of a call for one part; `result` is undefined when the call threw. */
export function callOutcome<Scope extends string>(
  { failedBy, clearedBy }: GuardedPart<Scope>,
  result: CallResult<Scope> | undefined,
): CallOutcome {
  if (result === undefined) return "unknown";
  const { scope, isFromUpstream } = result;
  if (scope === undefined) return "worked";
  if (failedBy.includes(scope)) return "failed";
  return isFromUpstream === true && clearedBy.includes(scope) ? "worked" : "unknown";
}
