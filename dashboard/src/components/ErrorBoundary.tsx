import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import { linkTo } from "../router/router.ts";
import { Notice } from "./Notice.tsx";

const texts = bilingual({
  title: ["Something went wrong on this page", "Er ging iets mis op deze pagina"],
  about: [
    "The service has lost nothing. Try again; if that doesn’t help, reload the page.",
    "Bij de dienst is niets verloren gegaan. Probeer het opnieuw; helpt dat niet, laad dan de pagina opnieuw.",
  ],
  again: ["Try again", "Opnieuw proberen"],
  reload: ["Reload the page", "Pagina opnieuw laden"],
  start: ["Go to Start", "Naar Start"],
});

interface Props {
  readonly children: ReactNode;
}

/** Shows an error inside it with ways to recover, instead of an empty page. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? (
      <ErrorNotice onAgain={() => this.setState({ hasFailed: false })} />
    ) : (
      this.props.children
    );
  }
}

function ErrorNotice({ onAgain }: { readonly onAgain: () => void }) {
  const t = useTexts(texts);
  return (
    <Notice tone="error" title={t.title}>
      <Stack gap="sm">
        <Text size="sm">{t.about}</Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={onAgain}>
            {t.again}
          </Button>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {t.reload}
          </Button>
          <Anchor href={linkTo("start")} size="sm">
            {t.start}
          </Anchor>
        </Group>
      </Stack>
    </Notice>
  );
}
