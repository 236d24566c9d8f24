/**
 * Takes the screenshots of docs/images: the page with a fictional registry and half a year of calls.
 *
 *     npm run screenshots
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilt } from "../support/built.ts";
import { launchChromium } from "../support/chromium.ts";
import { openScene } from "./scene.ts";
import { SCREENS } from "./screens.ts";

const IMAGES = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const WIDTHS = [
  [1440, 900],
  [360, 780],
] as const;

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
      for (const { name, open } of SCREENS) {
        await open(page, scene);
        await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
        await page.mouse.move(0, 0);
        const file = `${name}-${width}-${colorScheme}.png`;
        writeFileSync(join(IMAGES, file), await page.screenshot({ animations: "disabled", caret: "hide" }));
        process.stderr.write(`${file}\n`);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await scene.close();
}
