import { createHash } from "node:crypto";
import { type ApiError, invalid } from "../../../contract/errors.ts";
import { quoted } from "../../../contract/quoting.ts";

/** The events that a cursor belongs to: those of an account's live keys, or of its test keys. */
export interface CursorOwner {
  readonly accountId: string;
  readonly isTest?: true | undefined;
}

const SEQUENCE_BYTES = 8;
const OWNER_BYTES = 8;
const FORM = /^[A-Za-z0-9_-]{22}$/;

/** Returns the cursor after an event: its sequence number and a hash of its owner, in base64url. */
export function cursorOf(sequence: number, owner: CursorOwner): string {
  const bytes = Buffer.alloc(SEQUENCE_BYTES + OWNER_BYTES);
  bytes.writeBigUInt64BE(BigInt(sequence));
  ownerHash(owner).copy(bytes, SEQUENCE_BYTES);
  return bytes.toString("base64url");
}

/**
 * Returns the sequence number in a cursor.
 * @throws {ApiError} INVALID_REQUEST if it is malformed or another account's
 */
export function sequenceIn(cursor: string, owner: CursorOwner): number {
  const bytes = Buffer.from(FORM.test(cursor) ? cursor : "", "base64url");
  if (bytes.length !== SEQUENCE_BYTES + OWNER_BYTES || bytes.toString("base64url") !== cursor) {
    throw badCursor(`received ${quoted(cursor)}`);
  }
  if (!bytes.subarray(SEQUENCE_BYTES).equals(ownerHash(owner))) {
    throw badCursor("this one is from another account, or from a test key instead of a live key");
  }
  const sequence = Number(bytes.readBigUInt64BE());
  if (!Number.isSafeInteger(sequence)) throw badCursor(`received ${quoted(cursor)}`);
  return sequence;
}

function ownerHash({ accountId, isTest }: CursorOwner): Buffer {
  const text = `event cursor\n${isTest === true ? "test" : "live"}\n${accountId}`;
  return createHash("sha256").update(text).digest().subarray(0, OWNER_BYTES);
}

function badCursor(problem: string): ApiError {
  return invalid(`after must be the \`next\` of an earlier call with a key of this account; ${problem}`);
}
