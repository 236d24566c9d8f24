import { useEffect, useState } from "react";

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

/** The address of a screen, or of a part of it. */
export function linkTo(screen: Screen, part?: string): string {
  return part === undefined ? `#/${screen}` : `#/${screen}/${part}`;
}

/** The part of the screen that the address names, such as `list` in `#/try/list`. */
export function partInAddress(): string | undefined {
  return location.hash.split("/")[2];
}

/** Leads to a screen, as a link to it would. */
export function goTo(screen: Screen): void {
  location.hash = linkTo(screen);
}

/** Where the address leads; a secret in it is taken off at once, so that it stays in no history. */
function readRoute(): Route {
  const fragment = location.hash.slice(1);
  const [, kind, token] = /^(confirm|reset|invite|email)=(.+)$/.exec(fragment) ?? [];
  if (
    token !== undefined &&
    (kind === "confirm" || kind === "reset" || kind === "invite" || kind === "email")
  ) {
    history.replaceState(null, "", "/");
    return { screen: undefined, mailLink: { kind, token } };
  }
  return { screen: SCREENS.find((name) => fragment.split("/")[1] === name) };
}

/** Follows the address. An mailLink ends when the reader goes to a screen. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
