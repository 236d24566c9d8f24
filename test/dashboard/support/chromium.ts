import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const FONTS_FILE = "opzoek-fonts.conf";
/** The packaged fonts first, so that screenshots look the same everywhere; the system's as a fallback. */
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <alias binding="same"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>ui-monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
const CACHE = fromRoot("node_modules/.cache");

/** Starts a packaged Chromium, which needs only the system's C library. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const folder = unpacked();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    headless: true,
    args: [
      "--headless",
      // Chromium's sandbox does not work as root or in containers; it loads only this service.
      "--no-sandbox",
      "--font-render-hinting=none",
      "--disable-gpu",
      // Pages live for seconds: optimizing their scripts costs more of a core than it saves.
      "--js-flags=--no-turbofan,--no-maglev",
      ...args,
    ],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_FILE: join(folder, FONTS_FILE),
    },
  });
}

/**
 * Returns the folder of the unpacked browser. It is unpacked under another name first, because runs may start at the
 * same time.
 */
export function unpacked(): string {
  const manifest = readFileSync(fromRoot("node_modules/@sparticuz/chromium/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(join(CACHE, "chromium-"));
  execFileSync(process.execPath, [fileURLToPath(new URL("unpackChromium.ts", import.meta.url))], {
    // The package has libraries for systems with this name only, but they work everywhere.
    env: { ...process.env, TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(join(partial, FONTS_FILE), fontsIn(folder));
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
