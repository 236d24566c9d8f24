import type { QueryClass } from "./queryClass.ts";

const ADDED_BEHIND = ["B.V.", "bv", "BV", "N.V.", "V.O.F."];
const ADDED_BEFORE = ["Stichting"];

export const FORM_DROPPED: QueryClass = {
  id: "form-dropped",
  title: "legal form dropped",
  isBeginning: false,
  type: ({ before, words, after }) => (before.length + after.length === 0 ? undefined : words.join(" ")),
};

export const FORM_ADDED: QueryClass = {
  id: "form-added",
  title: "legal form added that the name lacks",
  isBeginning: false,
  type: ({ before, words, after }, random) => {
    if (before.length + after.length > 0) return undefined;
    const form = random.pick([...ADDED_BEHIND, ...ADDED_BEFORE]);
    return (ADDED_BEFORE.includes(form) ? [form, ...words] : [...words, form]).join(" ");
  },
};
