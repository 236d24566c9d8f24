import { fileURLToPath } from "node:url";
import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { defineConfig, type Plugin } from "vite";
import { readGuides } from "../build/guides.ts";
import { cssVariables, theme } from "./src/app/theme.ts";

// The pages are built for use, whatever the environment of who builds them says.
process.env.NODE_ENV = "production";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const THEME_STYLES = "virtual:theme.css";
const GUIDES = "virtual:guides";

/**
 * What the kit would write into the document as style elements, as a file: the docs page's policy allows no inline style at all, so
 * that its document is the same for everybody and can be kept.
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
        throw new Error("the kit no longer writes the theme as style elements");
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
  // The work of a list is a module of its own, which loads the library for spreadsheets when it needs it.
  worker: { format: "es" },
  plugins: [themeStyles(), guides()],
  build: {
    target: "es2023",
    // Everything is a file of its own: the pages' policies allow nothing inline, not even a data: address.
    assetsInlineLimit: 0,
    // A test holds the size (test/dashboard/built.test.ts).
    reportCompressedSize: false,
    // What the licences of what the pages are made of want: their texts, beside them.
    license: { fileName: "third-party.txt" },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { page: fromHere("index.html"), docs: fromHere("docs/index.html") },
      onLog(level, log, handle) {
        // The kit marks its files for servers that render; there is none here.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
});
