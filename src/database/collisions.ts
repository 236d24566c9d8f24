import { Collision } from "./stateErrors.ts";

const MAX_TRIES = 5;

/** Runs a transaction, and repeats it if the database rolled it back because of a deadlock. */
export async function retryCollisions<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof Collision) || attempt === MAX_TRIES) throw error;
    }
  }
}
