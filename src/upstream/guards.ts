import type { Breaker, Course } from "./breaker.ts";

/** A breaker in the way of a call, with what it guards and the name that it is told by. */
export interface Guard<Scope extends string> {
  readonly guarded: Scope;
  readonly name: string;
  readonly breaker: Breaker;
}

export interface GuardTerms<Scope extends string, Word> {
  /** Milliseconds of a clock that never goes back: a clock set back would keep a breaker open. */
  readonly now: () => number;
  /** How a call went for one of the guarded; the word is undefined when the call broke off. */
  readonly courseOf: (word: Word | undefined, guarded: Scope) => Course;
  /** Told when a breaker opens or closes. */
  readonly onChange: (name: string, isOpen: boolean, word: Word | undefined) => void;
}

/** Whether all of them would let a call through now. */
export function admitted(guards: readonly Guard<string>[], nowMs: number): boolean {
  return guards.every(({ breaker }) => breaker.admits(nowMs));
}

/** Runs `call` unless a breaker keeps it away: then undefined. Rejects only when `call` does. */
export async function runGuarded<Scope extends string, Word>(
  guards: readonly Guard<Scope>[],
  call: () => Promise<Word>,
  { now, courseOf, onChange }: GuardTerms<Scope, Word>,
): Promise<Word | undefined> {
  if (!admitted(guards, now())) return undefined;
  const entered = guards.map((one) => ({ ...one, trial: one.breaker.enter() }));
  let word: Word | undefined;
  try {
    word = await call();
    return word;
  } finally {
    // Also for a call that broke off: a trial that nobody ends would keep all others away for good.
    for (const { guarded, name, breaker, trial } of entered) {
      const wasOpen = breaker.isOpen;
      breaker.leave(courseOf(word, guarded), now(), trial);
      if (breaker.isOpen !== wasOpen) onChange(name, breaker.isOpen, word);
    }
  }
}
