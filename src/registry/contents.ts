/** The contents of a layer or snapshot in numbers. */
import type { DatabaseSync } from "node:sqlite";
import { FLAGS } from "./codec.ts";
import type { Contents, OriginInfo } from "./info.ts";
import { currentRows, prepareSql } from "./sqlite.ts";

/** Counts the rows of two tables or subqueries with the columns of `company` and `facts`. */
export function contentsOf(db: DatabaseSync, companyTable = "company", factsTable = "facts"): Contents {
  const [companies = 0, branches = 0] =
    prepareSql<[number, number]>(
      db,
      `SELECT count(*), coalesce(sum(json_array_length(branches)), 0) FROM ${companyTable}`,
    ).get() ?? [];
  const origins = prepareSql<[string, number, number]>(
    db,
    `SELECT o.name, count(*), max(f.asOf)
     FROM (SELECT origin, asOf FROM ${companyTable} WHERE (flags & ${FLAGS.merged}) = 0
           UNION ALL SELECT origin, asOf FROM ${factsTable}) f
     JOIN origin o ON o.id = f.origin GROUP BY o.name ORDER BY o.name`,
  );
  return {
    companies,
    branches,
    origins: origins.all().map(
      ([origin, count, asOf]): OriginInfo => ({
        origin,
        companies: count,
        asOf: new Date(asOf).toISOString(),
      }),
    ),
  };
}

/** Counts a snapshot as if the incoming companies had replaced their rows, without reading the others. */
export function contentsWithDelta(db: DatabaseSync, before: Contents): Contents {
  const isIncoming = "WHERE kvk IN (SELECT kvk FROM work.incoming)";
  const added = contentsOf(
    db,
    `(SELECT * FROM company ${isIncoming})`,
    `(SELECT * FROM facts ${isIncoming})`,
  );
  const incoming = { from: "work.incoming i CROSS JOIN", where: "h.kvk = i.kvk" };
  const replaced = contentsOf(
    db,
    `(${currentRows("company", "h.*", incoming)})`,
    `(${currentRows("facts", "h.*", incoming)})`,
  );
  const origins = new Map(before.origins.map((one) => [one.origin, one]));
  for (const { origin, companies, asOf } of added.origins) {
    const counts = origins.get(origin) ?? { companies: 0, asOf };
    const gone = replaced.origins.find((one) => one.origin === origin)?.companies ?? 0;
    const newest = counts.asOf > asOf ? counts.asOf : asOf;
    origins.set(origin, { origin, companies: counts.companies + companies - gone, asOf: newest });
  }
  return {
    companies: before.companies + added.companies - replaced.companies,
    branches: before.branches + added.branches - replaced.branches,
    origins: [...origins.values()].sort((a, b) => (a.origin < b.origin ? -1 : 1)),
  };
}
