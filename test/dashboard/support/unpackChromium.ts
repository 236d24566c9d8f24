/**
 * Unpacks the packaged Chromium and the libraries that it needs into the folder of temporary files, which the caller chooses by
 * TMPDIR. A program of its own, because the package reads its place and the system's kind from the environment.
 */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
