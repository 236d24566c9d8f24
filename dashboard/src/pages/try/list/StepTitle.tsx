import { Title } from "@mantine/core";
import { useEffect, useRef } from "react";

/**
 * The title of a step of the list. It takes the focus when the step was reached by a button that is gone with the step before, so
 * that the keyboard and a screen reader go on from here.
 */
export function StepTitle({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <Title order={2} ref={heading} tabIndex={-1} className="heading breaks">
      {children}
    </Title>
  );
}
