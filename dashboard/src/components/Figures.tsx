import { CardTable } from "./CardTable.tsx";

export interface FiguresProps {
  readonly head: readonly string[];
  /** The number of columns at the end that hold figures. */
  readonly figures: number;
  readonly rows: readonly (readonly string[])[];
}

/** A plain table of words and figures. The first cell of a row names it. */
export function Figures({ head, figures, rows }: FiguresProps) {
  return (
    <CardTable
      rows={rows}
      nameOf={(row) => ({ key: row.join("\t") })}
      columns={head.map((title, index) => ({
        title,
        cell: (row: readonly string[]) => row[index],
        isNumber: index >= head.length - figures,
        speaksForItself: index === 0,
      }))}
    />
  );
}
