import { AccountRefusal } from "../accounts/refusal.ts";
import { CommandFailure } from "./command.ts";

/** What an account cannot do fails the command with its own message. */
export async function accountFailures<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AccountRefusal ? new CommandFailure(error.message) : error;
  }
}
