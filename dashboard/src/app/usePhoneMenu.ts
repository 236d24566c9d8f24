import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, useRef } from "react";

/** Narrower than this, the navigation is a menu (Mantine's `md`). */
const PHONE = "(max-width: 61.99em)";
const REACHED = "a[href], button:not([disabled])";

/**
 * The menu of a narrow screen. While it is open, Escape closes it, Tab stays within it and its button, and the rest of
 * the page is inert. While it is closed, the menu is inert.
 */
export function usePhoneMenu() {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const [isUnfolded, { toggle, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const isOpen = isPhone && isUnfolded;
  const onMenuKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === "Escape") {
      close();
      button.current?.focus();
      return;
    }
    if (event.key !== "Tab") return;
    const last = [...(menu.current?.querySelectorAll<HTMLElement>(REACHED) ?? [])].at(-1);
    const focused = document.activeElement;
    const next = event.shiftKey ? focused === button.current && last : focused === last && button.current;
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return { isOpen, isHidden: isPhone && !isUnfolded, toggle, close, button, menu, onMenuKeyDown };
}
