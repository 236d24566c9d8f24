import { Anchor, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Form, type FormProps } from "../../forms/Form.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";

interface Props extends Omit<FormProps, "children" | "onClose" | "isWide"> {
  readonly title: string;
  readonly about?: string | undefined;
  readonly notices?: ReactNode;
  readonly fields: (isChecked: boolean) => ReactNode;
  /** Links to other screens; a link to sign in by default. */
  readonly children?: ReactNode;
}

/** A visitor's screen with a title, a form and links. */
export function VisitorForm({ title, about, notices, fields, children, ...form }: Props) {
  return (
    <Stack gap="lg">
      <PageTitle title={title} about={about} />
      {notices}
      <Form isWide {...form}>
        {fields}
      </Form>
      {children ?? <SignInLink />}
    </Stack>
  );
}

interface MessageProps extends Pick<Props, "title" | "about"> {
  readonly children?: ReactNode;
}

export function VisitorMessage({ title, about, children }: MessageProps) {
  return (
    <Stack gap="lg">
      <PageTitle title={title} about={about} />
      {children}
      <SignInLink />
    </Stack>
  );
}

function SignInLink() {
  const t = useTexts(texts);
  return <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>;
}
