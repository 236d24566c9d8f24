import { Figures, type FiguresProps } from "./Figures.tsx";

/** The figures behind a chart, folded away. */
export function AsTable({ label, ...table }: FiguresProps & { readonly label: string }) {
  return (
    <details className="folded">
      <summary>{label}</summary>
      <Figures {...table} />
    </details>
  );
}
