import { hasScheme } from "../lib/secretUrl.ts";
import { WrongUse } from "./command.ts";

/**
 * A file or folder that a command writes. An address such as `s3://…` would become a folder `s3:`, and an empty name, as of a variable that
 * is not set, is the folder that the command is run in.
 * @throws {WrongUse} for both
 */
export function localPath(text: string): string {
  if (text === "") throw new WrongUse("the folder or file has no name: is the variable set that holds it?");
  if (hasScheme(text)) {
    throw new WrongUse(
      `${text} is an address: name a folder or file on this machine, and copy it to the other place with its own program`,
    );
  }
  return text;
}
