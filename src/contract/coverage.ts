/** The companies that are searched: a service may hold a part of the registry. */
import { type Static, Type } from "typebox";
import { count, moment, resource, rows, text } from "./fields.ts";

export const CoverageSchema = resource(
  "Coverage",
  "The companies that this service holds. A search or match that finds nothing has looked among these alone.",
  {
    companies: count("Number of companies.", 195_000),
    sources: rows("Where they come from. A company of two sources counts for both.", {
      source: text("The origin, as in `source.kvk` of a company.", "gleif"),
      companies: count("Number of companies from it.", 195_000),
      asOf: moment("The newest date of its data.", "2026-11-21T06:00:00.000Z"),
    }),
  },
);
export type Coverage = Static<typeof CoverageSchema>;

/** For responses in which nothing was found. */
export const OptionalCoverage = Type.Optional(Type.Unsafe<Coverage>({ $ref: "Coverage#" }));
