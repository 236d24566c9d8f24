import { Figures, type FiguresProps } from "./Figures.tsx";

/** The figures of a chart as a table, collapsed. */
export function AsTable({ label, ...table }: FiguresProps & { readonly label: string }) {
  return (
    <details className="folded">
      <summary>{label}</summary>
      <Figures {...table} />
    </details>
  );
}
