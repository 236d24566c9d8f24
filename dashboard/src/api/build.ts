import { failureOf } from "./failure.ts";
import { readAny } from "./request.ts";

const PROGRAM = /<script[^<>]* src="([^"]+)"/;

/**
 * Whether the service has a newer build of this page than the one that is running.
 * @throws {Failure} when the page cannot be fetched
 */
export async function isNewBuildServed(): Promise<boolean> {
  const { status, text } = await readAny("/");
  if (status !== 200) throw failureOf(status, undefined);
  const running = document.querySelector("script[type=module][src]")?.getAttribute("src");
  return PROGRAM.exec(text)?.[1] !== running;
}
