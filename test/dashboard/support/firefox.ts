import { existsSync } from "node:fs";
import { type Browser, firefox } from "playwright-core";

/** Whether `TEST_BROWSER=firefox` selects the system's Firefox instead of the packaged Chromium. */
export const IS_FIREFOX = process.env["TEST_BROWSER"] === "firefox";

const PLACES = ["/usr/bin/firefox", "/usr/bin/firefox-esr"] as const;

/** Starts the system's Firefox with WebDriver BiDi. @throws {Error} if it is missing or lacks a required command */
export function launchFirefox(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error(`TEST_BROWSER=firefox needs one of ${PLACES.join(", ")}: install it`);
  // The channel selects the protocol: without it the library expects its own build of Firefox.
  return firefox.launch({ channel: "moz-firefox", executablePath, headless: true });
}
