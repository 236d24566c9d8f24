import { Scroller } from "./Scroller.tsx";

/** An answer of the API as it came. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <Scroller label={label} className="code">
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </Scroller>
  );
}
