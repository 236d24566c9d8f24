import { dictionary } from "@zxcvbn-ts/language-common";

/** The common passwords of the package as they are searched: each between two line breaks. */
export function packagedPasswords(): string {
  return `\n${dictionary["passwords-common"].join("\n")}\n`;
}
