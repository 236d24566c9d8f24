import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Room for what may be wider than the screen. It takes the focus, or the keyboard could not reach what it hides. */
export function Scroller({ label, className = "scroller", children }: Props) {
  const focusable = { tabIndex: 0 };
  return (
    <section className={className} aria-label={label} {...focusable}>
      {children}
    </section>
  );
}
