import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// The page is built for use, whatever the environment of who builds it says.
process.env.NODE_ENV = "production";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The work of a list is a module of its own, which loads the library for spreadsheets when it needs it.
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Everything is a file of its own: the page's policy allows nothing inline, not even a data: address.
    assetsInlineLimit: 0,
    // A test holds the size (test/dashboard/built.test.ts).
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      onLog(level, log, handle) {
        // The kit marks its files for servers that render; there is none here.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
});
