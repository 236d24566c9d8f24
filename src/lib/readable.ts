import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { OperatorError } from "./operatorError.ts";

/** A path that exists, or may exist, and that this user may not read. */
export class NotReadable extends OperatorError {
  constructor(path: string, code: string) {
    super(
      `${path} cannot be read by user ${userName()} (${code}): run this as the user of the service (sudo opzoek …), or give that user the path and the folders above it`,
    );
    this.name = "NotReadable";
  }
}

/** Whether a path exists. @throws {NotReadable} when this user may not read it, or the folders above it */
export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw new NotReadable(path, code);
  }
}

/** The user of this process: its name, or its number if it has none. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return String(process.getuid?.() ?? "");
  }
}
