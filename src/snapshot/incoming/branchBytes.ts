import type { GrowingBytes } from "../../search/index/growing.ts";
import { BRANCH_FLAGS } from "../branchCodec.ts";
import {
  type AddressSpans,
  type BranchSpans,
  type FactsSpans,
  isSameText,
  isThere,
  type Span,
} from "./factsSpans.ts";

const COMMA = 0x2c;
const ZERO = 0x30;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Writes the branches of a line, byte by byte, as `encodeBranches` writes them by their texts. */
export function writeBranches(texts: GrowingBytes, facts: FactsSpans): void {
  texts.push(OPEN_ARRAY);
  for (let nth = 0; nth < facts.branches.count; nth++) {
    if (nth > 0) texts.push(COMMA);
    writeBranch(texts, facts, facts.branches.at(nth));
  }
  texts.push(CLOSE_ARRAY);
}

function writeBranch(
  texts: GrowingBytes,
  { bytes, name: companyName, address: companyAddress }: FactsSpans,
  { branchNumber, name, address, isMain, isActive }: BranchSpans,
): void {
  const isOwnName = isThere(name) && isSameText(bytes, name, companyName);
  const isAtCompany =
    address.isKnown && companyAddress.isKnown && isSamePlace(bytes, address, companyAddress);
  const flags =
    (isActive ? BRANCH_FLAGS.active : 0) |
    (isMain ? BRANCH_FLAGS.main : 0) |
    (address.isKnown ? BRANCH_FLAGS.hasAddress : 0) |
    (address.isShielded ? BRANCH_FLAGS.shielded : 0) |
    (isAtCompany ? BRANCH_FLAGS.atCompany : 0) |
    (isOwnName ? BRANCH_FLAGS.ownName : 0);
  texts.push(OPEN_ARRAY);
  writeText(texts, bytes, branchNumber);
  texts.push(COMMA);
  if (flags >= 10) texts.push(ZERO + Math.floor(flags / 10));
  texts.push(ZERO + (flags % 10));
  const hasOwnPlace = address.isKnown && !isAtCompany;
  const hasOtherName = isThere(name) && !isOwnName;
  if (hasOtherName || hasOwnPlace) {
    texts.push(COMMA);
    if (hasOtherName) writeText(texts, bytes, name);
    else texts.push(ZERO);
  }
  if (hasOwnPlace) {
    for (const part of [address.street, address.houseNumber, address.postalCode, address.city]) {
      texts.push(COMMA);
      writeText(texts, bytes, part);
    }
  }
  texts.push(CLOSE_ARRAY);
}

/** Writes a text with its quotes, between which it stands in the line; 0 for none. */
function writeText(texts: GrowingBytes, bytes: Uint8Array, text: Span): void {
  if (isThere(text)) texts.append(bytes, text.from - 1, text.to + 1);
  else texts.push(ZERO);
}

function isSamePlace(bytes: Uint8Array, a: AddressSpans, b: AddressSpans): boolean {
  return (
    isSameText(bytes, a.street, b.street) &&
    isSameText(bytes, a.houseNumber, b.houseNumber) &&
    isSameText(bytes, a.postalCode, b.postalCode) &&
    isSameText(bytes, a.city, b.city) &&
    a.isShielded === b.isShielded
  );
}
