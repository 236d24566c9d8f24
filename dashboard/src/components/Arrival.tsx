import { Box, Title, type TitleOrder } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

/** What an action led to: it takes the focus when it appears, so that the keyboard and a screen reader go on there. */
export function Arrival({ children }: { readonly children: ReactNode }) {
  const ref = useFocusOnArrival<HTMLDivElement>();
  return (
    <Box ref={ref} tabIndex={-1} className="arrival">
      {children}
    </Box>
  );
}

interface Props {
  readonly order: TitleOrder;
  readonly children: ReactNode;
}

/** The heading of what an action led to, which takes the focus when it appears. */
export function ArrivalTitle({ order, children }: Props) {
  const ref = useFocusOnArrival<HTMLHeadingElement>();
  return (
    <Title order={order} ref={ref} tabIndex={-1} className="arrival breaks">
      {children}
    </Title>
  );
}

function useFocusOnArrival<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => {
    ref.current?.focus();
  }, []);
  return ref;
}
