import type { Migration } from "kysely/migration";
import * as baseline from "./0001_baseline.ts";
import * as monitors from "./0002_1.1.0.ts";
import * as openData from "./0003_1.2.0.ts";

/** All migrations, in order. A released migration is never edited, and from 1.0.0 on migrations only add. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_baseline": baseline,
  "0002_1.1.0": monitors,
  "0003_1.2.0": openData,
};
