import type { CompanyFacts } from "../../company/facts.ts";
import type { Employees } from "../../contract/employeesResource.ts";

/**
 * How facts are written down in the state store. Nodes of other versions read the same rows: `employees` is the total,
 * a number as it always was, and what else is known of them has a key of its own, which others pass over.
 */
interface KeptFacts extends Omit<CompanyFacts, "employees"> {
  readonly employees?: number;
  readonly employeesByTime?: Omit<Employees, "total">;
}

export function writeFacts({ employees, ...facts }: CompanyFacts): string {
  const { total, ...byTime } = employees ?? {};
  const kept: KeptFacts = {
    ...facts,
    ...(total !== undefined && { employees: total }),
    ...(Object.keys(byTime).length > 0 && { employeesByTime: byTime }),
  };
  return JSON.stringify(kept);
}

/** What this program, or a node of another version, wrote with {@link writeFacts}. */
export function readFacts(json: string): CompanyFacts {
  const { employees: total, employeesByTime, ...facts } = JSON.parse(json) as KeptFacts;
  if (total === undefined && employeesByTime === undefined) return facts;
  return { ...facts, employees: { ...(total !== undefined && { total }), ...employeesByTime } };
}
