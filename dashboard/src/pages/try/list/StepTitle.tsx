import { Title } from "@mantine/core";

/** The title of a step of the list, which gets the focus when the step before goes with the button that was pressed. */
export function StepTitle({ children }: { readonly children: string }) {
  return (
    <Title order={2} tabIndex={-1} className="heading breaks">
      {children}
    </Title>
  );
}
