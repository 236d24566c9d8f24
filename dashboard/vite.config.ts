import { fileURLToPath } from "node:url";
import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { defineConfig, type Plugin } from "vite";
import { readGuides } from "../build/guides.ts";
import { cssVariables, theme } from "./src/app/theme.ts";

// Always a production build, regardless of the environment.
process.env.NODE_ENV = "production";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const THEME_STYLES = "virtual:theme.css";
const GUIDES = "virtual:guides";

/**
 * Writes the theme's styles, which Mantine would add as style elements, to a file: the docs page's policy allows no
 * inline style, so that its document is the same for everyone and can be cached.
 */
function themeStyles(): Plugin {
  return {
    name: "theme-styles",
    resolveId: (source) => (source === THEME_STYLES ? `\0${THEME_STYLES}` : undefined),
    load(id) {
      if (id !== `\0${THEME_STYLES}`) return undefined;
      const provider = createElement(MantineProvider, { theme, cssVariablesResolver: cssVariables });
      const elements = renderToStaticMarkup(provider).matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g);
      const styles = [...elements].map(([, style = ""]) => style).join("\n");
      if (!styles.includes("--surface"))
        throw new Error("Mantine no longer writes the theme as style elements");
      return styles;
    },
  };
}

/** The guides of `docs/` as a module. */
function guides(): Plugin {
  return {
    name: "guides",
    resolveId: (source) => (source === GUIDES ? `\0${GUIDES}` : undefined),
    load: (id) =>
      id === `\0${GUIDES}` ? `export const guides = ${JSON.stringify(readGuides())};` : undefined,
  };
}

export default defineConfig({
  root: fromHere("."),
  // The worker that reads lists is a module, which loads the spreadsheet library on demand.
  worker: { format: "es" },
  plugins: [themeStyles(), guides()],
  build: {
    target: "es2023",
    // The pages' policies allow nothing inline, not even a data: URL.
    assetsInlineLimit: 0,
    // test/dashboard/built.test.ts checks the size.
    reportCompressedSize: false,
    // The licences of the libraries require their texts.
    license: { fileName: "third-party.txt" },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { page: fromHere("index.html"), docs: fromHere("docs/index.html") },
      onLog(level, log, handle) {
        // Mantine marks its files for server rendering, which is not used here.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
});
