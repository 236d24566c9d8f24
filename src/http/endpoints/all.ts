import type { Endpoint } from "../endpoint.ts";
import { autocomplete } from "./autocomplete.ts";
import { batch } from "./batch.ts";
import { branches } from "./branches.ts";
import { health } from "./health.ts";
import { lookup } from "./lookup.ts";
import { search } from "./search.ts";
import { tokens } from "./tokens.ts";
import { usage } from "./usage.ts";
import { validate } from "./validate.ts";

/** Every endpoint, in the order of the API document. */
export const ENDPOINTS: readonly Endpoint[] = [
  lookup,
  branches,
  batch,
  autocomplete,
  search,
  validate,
  usage,
  tokens,
  health,
];
