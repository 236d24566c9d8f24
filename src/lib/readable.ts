import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { OperatorError } from "./operatorError.ts";

/** A file or folder that is there, or may be, and that this user may not read. */
export class NotReadable extends OperatorError {
  constructor(path: string, code: string) {
    super(
      `${path} cannot be read by user ${userName()} (${code}): run this as the user of the service (sudo opzoek …), or give that user the path and the folders above it`,
    );
    this.name = "NotReadable";
  }
}

/** Whether a path is there. @throws {NotReadable} when this user may not know, or may not read it */
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

/** The user that this process runs as: its name, or its number where it has none. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return String(process.getuid?.() ?? "");
  }
}
