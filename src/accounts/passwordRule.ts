import { PASSWORD_LENGTH } from "../contract/accountRules.ts";
import { type CommonPasswords, commonPasswords } from "./commonPasswords.ts";
import { PersonRefusal } from "./refusal.ts";

/** Words that everybody tries first at this service. */
const OWN_WORDS = ["opzoek", "kvk", "handelsregister"];
/** Dates, telephone numbers and rows of the keyboard. */
const ONLY_DIGITS = /^[0-9]+$/;
/** So few characters said again and again are no password, whichever they are. */
const WEAK_UNIT = 4;
/** What people put around a common password so that it gets long enough. */
const AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;

/**
 * What must hold of a new password (NIST SP 800-63B): its length, and that it is none of those that are tried first. No
 * rule asks for kinds of characters.
 * @throws {PersonRefusal} that says which rule is broken, without the password
 */
export async function checkPassword(password: string, email: string): Promise<void> {
  const { least, most } = PASSWORD_LENGTH;
  const text = password.normalize("NFKC");
  const length = [...text].length;
  if (length < least || length > most) {
    throw refused(`a password has ${least} to ${most} characters; a few words are a good one`);
  }
  const lower = text.toLowerCase();
  const address = email.toLowerCase();
  const [localPart = ""] = address.split("@");
  if (
    isCommon(lower, await commonPasswords()) ||
    lower === address ||
    lower.replace(AROUND, "") === localPart
  ) {
    throw refused(
      "this password is among those that are tried first; choose a few words that do not belong together",
    );
  }
}

function refused(message: string): PersonRefusal {
  return new PersonRefusal("input", message, undefined, "password");
}

/** A common password as it is, between digits and signs, or said several times. */
function isCommon(lower: string, common: CommonPasswords): boolean {
  const core = lower.replace(AROUND, "");
  if ([lower, core].some((text) => isListed(text, common)) || ONLY_DIGITS.test(lower)) return true;
  const unit = /^(.+?)\1+$/su.exec(lower)?.[1];
  if (unit === undefined) return false;
  return (
    [...unit].length <= WEAK_UNIT || [unit, unit.replace(AROUND, "")].some((text) => isListed(text, common))
  );
}

function isListed(text: string, common: CommonPasswords): boolean {
  return OWN_WORDS.includes(text) || common.has(text);
}
