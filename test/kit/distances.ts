const isSame = (a = "", b = "") => a.replace("k", "c") === b.replace("k", "c");

/**
 * Optimal string alignment by the full prefix table, treating `c` and `k` as equal: the distances to each prefix of
 * `b`.
 */
export function distances(a: string, b: string): number[] {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  const columns = [row.map((cost) => cost)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (isSame(a[i - 1], b[j - 1]) ? 0 : 1);
      let cost = Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && isSame(a[i - 1], b[j - 2]) && isSame(a[i - 2], b[j - 1])) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    [before, row] = [row, next];
    columns.push(next);
  }
  return columns.at(-1) ?? [];
}
