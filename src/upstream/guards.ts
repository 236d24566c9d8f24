import type { Breaker, CallOutcome } from "./breaker.ts";

/** A breaker, its scope and its name in reports. */
export interface Guard<Scope extends string> {
  readonly guarded: Scope;
  readonly name: string;
  readonly breaker: Breaker;
}

export interface GuardTerms<Scope extends string, Result> {
  /** A monotonic clock, milliseconds: a clock set back would keep a breaker open. */
  readonly now: () => number;
  /** The outcome of a call for a scope; the result is undefined when the call threw. */
  readonly callOutcome: (result: Result | undefined, guarded: Scope) => CallOutcome;
  /** The pause that the upstream asks for, milliseconds; 0 for none. */
  readonly pauseMs: (result: Result | undefined) => number;
  /** Called when a breaker opens or closes. */
  readonly onChange: (name: string, isOpen: boolean, result: Result | undefined) => void;
}

/** Whether all breakers permit a call now. */
export function permitted(guards: readonly Guard<string>[], nowMs: number): boolean {
  return guards.every(({ breaker }) => breaker.permits(nowMs));
}

/** Runs `call`; undefined when a breaker is open. Rejects only when `call` does. */
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
    // Also after a throw: a probe that never ends would keep the breaker open forever.
    for (const { guarded, name, breaker, probe } of entered) {
      const wasOpen = breaker.isOpen;
      breaker.leave(callOutcome(result, guarded), now(), probe, pauseMs(result));
      if (breaker.isOpen !== wasOpen) onChange(name, breaker.isOpen, result);
    }
  }
}
