import type { Random } from "../../../src/demo/random.ts";
import type { TypedName } from "./typedName.ts";

/** One way in which people type a name. */
export interface QueryClass {
  readonly id: string;
  /** For the table. */
  readonly title: string;
  /** What is typed for a name; undefined where a name cannot be typed so. Chance comes out of `random` alone. */
  type(name: TypedName, random: Random): string | undefined;
  /** Whether what is typed is cut off, so that it may well be the whole of another name. */
  readonly isBeginning: boolean;
}
