import { dictionary } from "@zxcvbn-ts/language-common";

/** The package's common passwords in searchable form: each between two line breaks. */
export function packagedPasswords(): string {
  return `\n${dictionary["passwords-common"].join("\n")}\n`;
}
