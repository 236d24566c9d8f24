import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // Everything is a file of its own: the page's policy allows nothing inline, not even a data: address.
    assetsInlineLimit: 0,
    // Says how many bytes in a test of its own (test/dashboard), by gzip.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
