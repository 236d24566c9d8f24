import { Box, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

/**
 * The result of an action. It takes the focus when it appears, so that keyboard and screen reader users continue there.
 */
export function FocusedResult({ children }: { readonly children: ReactNode }) {
  const ref = useFocusOnMount<HTMLDivElement>();
  return (
    <Box ref={ref} tabIndex={-1} className="arrival">
      {children}
    </Box>
  );
}

/** The heading of a result, which takes the focus instead. */
export function FocusedTitle({ children }: { readonly children: ReactNode }) {
  const ref = useFocusOnMount<HTMLHeadingElement>();
  return (
    <Title order={2} ref={ref} tabIndex={-1} className="arrival breaks">
      {children}
    </Title>
  );
}

function useFocusOnMount<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => {
    ref.current?.focus();
  }, []);
  return ref;
}
