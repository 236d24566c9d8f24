import type { RawBuilder } from "kysely";

/** What breaks a rule, in the words of an operator. */
interface Broken {
  readonly what: string;
}

/** One thing that must hold of every state. */
export interface Rule {
  readonly name: string;
  /** What it means that something breaks it, and what to do. */
  readonly meaning: string;
  /** Everything that breaks it. */
  readonly broken: RawBuilder<Broken>;
}
