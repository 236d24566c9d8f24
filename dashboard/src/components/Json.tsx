/** An unchanged response of the API. It is focusable, so that the keyboard can scroll it. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  const focusable = { tabIndex: 0 };
  return (
    <section className="code" aria-label={label} {...focusable}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
