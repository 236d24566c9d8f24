import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Form, type FormProps } from "../../forms/Form.tsx";

interface Props extends Omit<FormProps, "children" | "onClose" | "isWide"> {
  readonly title: string;
  readonly about?: string | undefined;
  /** Messages before the form. */
  readonly notices?: ReactNode;
  readonly fields: (isChecked: boolean) => ReactNode;
  /** Links to other screens. */
  readonly children: ReactNode;
}

/** A screen of a visitor: a title, a form and where else to go. */
export function VisitorForm({ title, about, notices, fields, children, ...form }: Props) {
  return (
    <Stack gap="lg">
      <PageTitle title={title} about={about} />
      {notices}
      <Form isWide {...form}>
        {fields}
      </Form>
      {children}
    </Stack>
  );
}
