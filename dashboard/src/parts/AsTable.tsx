import { Figures } from "./Figures.tsx";
import { Scroller } from "./Scroller.tsx";

interface Props {
  readonly label: string;
  readonly head: readonly string[];
  /** How many columns at the end are figures. */
  readonly figures: number;
  readonly rows: readonly (readonly string[])[];
}

/** The figures behind a chart, folded away. */
export function AsTable({ label, ...table }: Props) {
  return (
    <details className="folded">
      <summary>{label}</summary>
      <Scroller label={label}>
        <Figures {...table} />
      </Scroller>
    </details>
  );
}
