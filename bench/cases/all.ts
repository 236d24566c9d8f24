import { repeated, unchanged } from "./again.ts";
import { autocomplete } from "./autocomplete.ts";
import { batch } from "./batch.ts";
import { cached } from "./cached.ts";
import type { BenchCase } from "./case.ts";
import { enriched } from "./enriched.ts";
import { lookup, lookupAlone, lookupOfMany } from "./lookup.ts";
import { notFound } from "./notFound.ts";
import { rateLimited } from "./rateLimited.ts";
import { search } from "./search.ts";
import { typing } from "./typing.ts";
import { typingSession } from "./typingSession.ts";
import { outage, validate } from "./validate.ts";

/** Every case, in the order of the report. A new case is a file here and a word in this list. */
export const CASES: readonly BenchCase[] = [
  lookup,
  lookupOfMany,
  lookupAlone,
  unchanged,
  repeated,
  enriched,
  autocomplete,
  typingSession,
  typing,
  search,
  batch,
  notFound,
  rateLimited,
  validate,
  outage,
  cached,
];
