/**
 * Unpacks the packaged Chromium and its libraries into the temporary folder, which the caller sets with TMPDIR. It runs
 * as a separate process, because the package reads its location and the kind of system from the environment.
 */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
