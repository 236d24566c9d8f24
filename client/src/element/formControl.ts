/** What HTML does for its own fields of a form, and leaves to others. */

/** Sends a form as Enter does in any field: by its first button that sends, or without one. */
export function submit(form: HTMLFormElement | null): void {
  const button = [...(form?.elements ?? [])].find((one) =>
    one.matches("button:not([type=button],[type=reset]),input[type=submit]"),
  );
  if (button instanceof HTMLElement) button.click();
  else form?.requestSubmit();
}

/** What is sent with a form; without a name nothing is. */
export function entries(...pairs: readonly (readonly [name: string | null, value: string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of pairs) if (name) data.append(name, value);
  return data;
}

/** What labels say. */
export function textOf(labels: NodeList): string {
  return [...labels].map(({ textContent }) => textContent?.trim()).join(" ");
}

/** What was set on an element before it was defined is a property of its own, in the way of what is defined: it is set anew. */
export function takeUp<Name extends string>(element: Record<Name, unknown>, names: readonly Name[]): void {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const { [name]: before } = element;
    delete element[name];
    element[name] = before;
  }
}
