/**
 * Takes pictures of every screen: the page with a fictional registry and half a year of calls.
 *
 *     npm run screenshots [-- FOLDER]
 *
 * The folder is test/out/screenshots by default.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { ensureBuilt } from "../support/built.ts";
import { launchChromium } from "../support/chromium.ts";
import { LIST_SCREENS, removeList } from "./lists.ts";
import { openScene } from "./scene.ts";
import { MONITOR_SCREENS, SCREENS, type Screen, signIn } from "./screens.ts";

const IMAGES = process.argv[2] ?? fileURLToPath(new URL("../../out/screenshots/", import.meta.url));
const WIDTHS = [
  [1440, 900],
  [360, 780],
] as const;

/** Opens a screen and takes its picture. @param isWhole includes what is below the first screen */
async function take(page: Page, { open }: Screen, name: string, isWhole = false): Promise<void> {
  await open(page, scene);
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  const viewport = page.viewportSize();
  if (isWhole && viewport !== null) {
    const height = await page.evaluate<number>("document.documentElement.scrollHeight");
    await page.setViewportSize({ ...viewport, height });
  }
  const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (viewport !== null) await page.setViewportSize(viewport);
  writeFileSync(join(IMAGES, `${name}.png`), picture);
  process.stderr.write(`${name}.png\n`);
}

ensureBuilt();
mkdirSync(IMAGES, { recursive: true });
const scene = await openScene();
const browser = await launchChromium();
try {
  for (const [width, height] of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        baseURL: scene.address,
        locale: "en-GB",
        colorScheme,
        viewport: { width, height },
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      for (const screen of SCREENS) await take(page, screen, `${screen.name}-${width}-${colorScheme}`);
      await context.close();
    }
    for (const language of ["en", "nl"] as const) {
      const context = await browser.newContext({
        baseURL: scene.address,
        locale: language,
        viewport: { width, height },
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      await signIn(page);
      for (const screen of [...MONITOR_SCREENS, ...LIST_SCREENS])
        await take(page, screen, `${screen.name}-${width}-${language}`, true);
      await removeList(page);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await scene.close();
}
