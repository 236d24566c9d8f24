import { existsSync } from "node:fs";
import { type Browser, firefox } from "playwright-core";

/** Whether tests that share a browser run in the system's Firefox, by `TEST_BROWSER=firefox`, in the place of the packaged Chromium. */
export const IS_FIREFOX = process.env["TEST_BROWSER"] === "firefox";

const PLACES = ["/usr/bin/firefox", "/usr/bin/firefox-esr"] as const;

/** The system's Firefox, spoken to by WebDriver BiDi. @throws {Error} where there is none, or one that does not know all of what it is told */
export function launchFirefox(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error(`TEST_BROWSER=firefox needs one of ${PLACES.join(", ")}: install it`);
  // The channel says by which protocol: without it the library expects a Firefox of its own make.
  return firefox.launch({ channel: "moz-firefox", executablePath, headless: true });
}
