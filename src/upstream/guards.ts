import type { Breaker, CallOutcome } from "./breaker.ts";

/** A breaker in the way of a call, with what it guards and the name that it is told by. */
export interface Guard<Scope extends string> {
  readonly guarded: Scope;
  readonly name: string;
  readonly breaker: Breaker;
}

export interface GuardTerms<Scope extends string, Result> {
  /** Milliseconds of a clock that never goes back: a clock set back would keep a breaker open. */
  readonly now: () => number;
  /** How a call went for one of the guarded; the result is undefined when the call broke off. */
  readonly callOutcome: (result: Result | undefined, guarded: Scope) => CallOutcome;
  /** How long the upstream asks to be left alone, milliseconds; 0 when it does not. */
  readonly pauseMs: (result: Result | undefined) => number;
  /** Told when a breaker opens or closes. */
  readonly onChange: (name: string, isOpen: boolean, result: Result | undefined) => void;
}

/** Whether all of them would let a call through now. */
export function permitted(guards: readonly Guard<string>[], nowMs: number): boolean {
  return guards.every(({ breaker }) => breaker.permits(nowMs));
}

/** Runs `call` unless a breaker keeps it away: then undefined. Rejects only when `call` does. */
export async function runGuarded<Scope extends string, Result>(
  guards: readonly Guard<Scope>[],
  call: () => Promise<Result>,
  { now, callOutcome, pauseMs, onChange }: GuardTerms<Scope, Result>,
): Promise<Result | undefined> {
  if (!permitted(guards, now())) return undefined;
  const entered = guards.map((one) => ({ ...one, probe: one.breaker.enter() }));
  let result: Result | undefined;
  try {
    result = await call();
    return result;
  } finally {
    // Also for a call that broke off: a probe that nobody ends would keep all others away for good.
    for (const { guarded, name, breaker, probe } of entered) {
      const wasOpen = breaker.isOpen;
      breaker.leave(callOutcome(result, guarded), now(), probe, pauseMs(result));
      if (breaker.isOpen !== wasOpen) onChange(name, breaker.isOpen, result);
    }
  }
}
