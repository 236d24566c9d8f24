import { useWindowEvent } from "@mantine/hooks";
import { useState, useSyncExternalStore } from "react";
import { decodedPart } from "./decoded.ts";

/** The screens' names in the address, after `#/`. */
const SCREENS = [
  "start",
  "try",
  "keys",
  "monitors",
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

/** The secret of a link from a mail or the command line. */
export type MailLink = { readonly kind: "confirm" | "reset" | "invite" | "email"; readonly token: string };

export interface Route {
  readonly screen: Screen | undefined;
  readonly mailLink?: MailLink;
}

/** Returns the address of a screen, of a part of it, or of the subject of that part. */
export function linkTo(screen: Screen, part?: string, subject?: string): string {
  const parts = [screen, part, subject].filter((one) => one !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function goTo(screen: Screen): void {
  location.hash = linkTo(screen);
}

/** Goes to a screen after signing in: the one in the address, or the start if that is for visitors. */
export function goToApp(): void {
  const { screen } = readRoute();
  if (screen === undefined || screen === "sign-in" || screen === "sign-up" || screen === "forgot")
    goTo("start");
}

/**
 * Returns the part of a screen in the address, so that links and the back button work.
 * @param parts the first is the default
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

/** Returns the subject of the screen's part, such as the account in `#/operator/account/acc_1`. */
export function useSubject(): string | undefined {
  const subject = useHash().split("/")[3];
  return subject === "" || subject === undefined ? undefined : decodedPart(subject);
}

/** Reads the address. A secret in it is removed at once, so that it is not kept in the history. */
function readRoute(): Route {
  const fragment = location.hash.slice(1);
  const [, kind, token] = /^(confirm|reset|invite|email)=(.+)$/.exec(fragment) ?? [];
  if (token !== undefined) {
    history.replaceState(null, "", "/");
    return { screen: undefined, mailLink: { kind: kind as MailLink["kind"], token } };
  }
  return { screen: SCREENS.find((name) => fragment.split("/")[1] === name) };
}

/** Returns the current route. A mail link ends when the person goes to another screen. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useWindowEvent("hashchange", () => setRoute(readRoute()));
  return route;
}

/** Returns the current fragment of the address. */
export function useHash(): string {
  return useSyncExternalStore(followHash, () => location.hash);
}

function followHash(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
