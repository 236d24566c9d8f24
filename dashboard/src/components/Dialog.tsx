import { Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual({ close: ["Close", "Sluiten"] });

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether only the buttons inside close it, because its content cannot be shown again. */
  readonly isFirm?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog. It traps the focus, and returns it when it closes. */
export function Dialog({ title, isOpen, onClose, isFirm = false, children }: Props) {
  const t = useTexts(texts);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      size="lg"
      radius="lg"
      padding="xl"
      overlayProps={{ backgroundOpacity: 0.45 }}
      transitionProps={{ duration: 120 }}
      lockScroll={false}
      closeOnClickOutside={!isFirm}
      closeOnEscape={!isFirm}
      withCloseButton={!isFirm}
      closeButtonProps={{ "aria-label": t.close }}
      // Without a role, screen readers would announce it as the header of the page.
      attributes={{ header: { role: "presentation" } }}
      classNames={{ title: "dialog-title", content: "dialog", header: "dialog-head" }}
    >
      <Stack gap="lg">{children}</Stack>
    </Modal>
  );
}
