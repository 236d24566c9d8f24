import type { QueryClass } from "./queryClass.ts";

/** The name as it is registered. */
export const FULL: QueryClass = {
  id: "full",
  title: "full name",
  isBeginning: true,
  type: ({ name }) => name,
};

const SHARE = 0.6;

export const SHARE_OF_NAME: QueryClass = {
  id: "first-60%",
  title: "first 60 % of the name",
  isBeginning: true,
  type: ({ name }) => {
    const letters = [...name];
    return letters.slice(0, Math.ceil(letters.length * SHARE)).join("");
  },
};

/** The name up to its `count`-th letter or digit; names that have no more are left out. */
export function firstLetters(count: number): QueryClass {
  const start = new RegExp(`^(?:[^\\p{L}\\p{N}]*[\\p{L}\\p{N}]){${count}}(?=.*[\\p{L}\\p{N}])`, "u");
  return {
    id: `first-${count}`,
    title: `first ${count} letters`,
    isBeginning: true,
    type: ({ name }) => start.exec(name)?.[0],
  };
}
