/** Arithmetic and formatting shared by all reports. */
import { cpus, totalmem } from "node:os";

/** The value within which this share (0 to 1) of the sorted numbers lies; 0 if there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function median(numbers: readonly number[]): number {
  return quantile(Float64Array.from(numbers).sort(), 0.5);
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function formatTime(us: number): string {
  if (us < 1_000) return `${us.toFixed(0)} µs`;
  return `${(us / 1_000).toFixed(us < 10_000 ? 1 : 0)} ms`;
}

export function formatPercent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** Returns a Markdown table. The first `texts` columns are aligned left, the others right. */
export function table(
  header: readonly string[],
  texts: number,
  rows: readonly (readonly string[])[],
): string {
  const lines = [header, header.map((_, column) => (column < texts ? "---" : "--:")), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function describeMachine(): string {
  const cores = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`;
  return `Node.js ${process.versions.node}, ${cores}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}
