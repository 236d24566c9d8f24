import { useWindowEvent } from "@mantine/hooks";
import { useState, useSyncExternalStore } from "react";
import { decoded } from "./decoded.ts";

/** The screens by their name in the address, after `#/`. */
const SCREENS = [
  "start",
  "try",
  "keys",
  "calls",
  "usage",
  "plan",
  "status",
  "settings",
  "operator",
  "sign-in",
  "sign-up",
  "forgot",
] as const;
export type Screen = (typeof SCREENS)[number];

/** What the link of a mail or of the terminal brings: a secret for one of these. */
export type MailLink = { readonly kind: "confirm" | "reset" | "invite" | "email"; readonly token: string };

/** Where the reader is. */
export interface Route {
  readonly screen: Screen | undefined;
  readonly mailLink?: MailLink;
}

/** The address of a screen, of a part of it, or of one thing that the part is about. */
export function linkTo(screen: Screen, part?: string, subject?: string): string {
  const parts = [screen, part, subject].filter((one) => one !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Leads to a screen, as a link to it would. */
export function goTo(screen: Screen): void {
  location.hash = linkTo(screen);
}

/** Leads on after signing in: to the screen that the address names, or the start where it names one for visitors. */
export function goInside(): void {
  const { screen } = readRoute();
  if (screen === undefined || screen === "sign-in" || screen === "sign-up" || screen === "forgot")
    goTo("start");
}

/**
 * The part of a screen that the address names, so that it can be linked to and the browser's way back works.
 * @param parts the first is shown where the address names none
 */
export function usePart<Part extends string>(
  screen: Screen,
  parts: readonly [Part, ...Part[]],
): readonly [Part, (part: string | null) => void] {
  const named = useHash().split("/")[2];
  const show = (chosen: string | null) => {
    location.hash = linkTo(screen, chosen ?? parts[0]);
  };
  return [parts.find((name) => name === named) ?? parts[0], show];
}

/** The one thing that the part of the screen is about, such as the account in `#/operator/account/acc_1`. */
export function useSubject(): string | undefined {
  const subject = useHash().split("/")[3];
  return subject === "" || subject === undefined ? undefined : decoded(subject);
}

/** Where the address leads. A secret in it is removed at once, so that it stays in no history. */
function readRoute(): Route {
  const fragment = location.hash.slice(1);
  const [, kind, token] = /^(confirm|reset|invite|email)=(.+)$/.exec(fragment) ?? [];
  if (token !== undefined) {
    history.replaceState(null, "", "/");
    return { screen: undefined, mailLink: { kind: kind as MailLink["kind"], token } };
  }
  return { screen: SCREENS.find((name) => fragment.split("/")[1] === name) };
}

/** Follows the address. A mail link ends when the reader goes to a screen. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useWindowEvent("hashchange", () => setRoute(readRoute()));
  return route;
}

/** The fragment of the address, as it is now. */
export function useHash(): string {
  return useSyncExternalStore(followHash, () => location.hash);
}

function followHash(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
