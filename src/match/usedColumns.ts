import type { UsedColumns } from "../contract/jobs.ts";

const MAX_NAMES = 100;
const MAX_LENGTH = 60;

/** @param fields what is read from each column; one without a heading is shown by its number */
export function usedColumns(header: readonly string[], fields: readonly (string | undefined)[]): UsedColumns {
  const names = header.map((heading) => heading.trim().slice(0, MAX_LENGTH).toWellFormed());
  return {
    used: names.flatMap((name, at) => {
      const field = fields[at] === "websites" ? "website" : fields[at];
      return field === undefined ? [] : [{ column: name || `column ${at + 1}`, field }];
    }),
    unused: names.filter((name, at) => name !== "" && fields[at] === undefined).slice(0, MAX_NAMES),
  };
}
