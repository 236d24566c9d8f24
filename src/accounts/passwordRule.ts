import { PASSWORD_LENGTH } from "../contract/accountRules.ts";
import { type CommonPasswords, commonPasswords } from "./commonPasswords.ts";
import { PersonRefusal } from "./refusal.ts";

/** Words that attackers try first at this service. */
const OWN_WORDS = ["opzoek", "kvk", "handelsregister"];
/** Dates, phone numbers and rows of the keyboard. */
const ONLY_DIGITS = /^[0-9]+$/;
/** Repetitions of at most this many characters are weak. */
const WEAK_UNIT = 4;
/** Digits and symbols that people put around a common password. */
const AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;

/**
 * Checks a new password (NIST SP 800-63B): its length, and that it is not common. Character classes are not required.
 * @throws {PersonRefusal} (the promise) with the broken rule, without the password
 */
export async function checkPassword(password: string, email: string): Promise<void> {
  const { least, most } = PASSWORD_LENGTH;
  const text = password.normalize("NFKC");
  const length = [...text].length;
  if (length < least || length > most) {
    throw refused(`a password must have ${least} to ${most} characters; use a few words`);
  }
  const lower = text.toLowerCase();
  const address = email.toLowerCase();
  const [localPart = ""] = address.split("@");
  if (
    isCommon(lower, await commonPasswords()) ||
    lower === address ||
    lower.replace(AROUND, "") === localPart
  ) {
    throw refused("this password is too easy to guess; choose a few unrelated words");
  }
}

function refused(message: string): PersonRefusal {
  return new PersonRefusal("input", message, undefined, "password");
}

/** Whether it is a common password, possibly repeated or between digits and symbols. */
function isCommon(lower: string, common: CommonPasswords): boolean {
  const core = lower.replace(AROUND, "");
  if ([lower, core].some((text) => isListed(text, common)) || ONLY_DIGITS.test(lower)) return true;
  // Input: at most 128 letters.
  const unit = /^(.+?)\1+$/su.exec(lower)?.[1];
  if (unit === undefined) return false;
  return (
    [...unit].length <= WEAK_UNIT || [unit, unit.replace(AROUND, "")].some((text) => isListed(text, common))
  );
}

function isListed(text: string, common: CommonPasswords): boolean {
  return OWN_WORDS.includes(text) || common.has(text);
}
