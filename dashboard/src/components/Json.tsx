/** An answer of the API as it came. It takes the focus, or the keyboard could not reach what it hides. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  const focusable = { tabIndex: 0 };
  return (
    <section className="code" aria-label={label} {...focusable}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
