/**
 * A form's fields as an object for zod: text as it is, an empty field as nothing, a field given several times or
 * named `name[]` as a list. Files and the framework's own fields are left out.
 */
export function readForm(form: FormData): Record<string, string | string[] | undefined> {
  const fields = new Map<string, string | string[] | undefined>();
  for (const name of new Set(form.keys())) {
    if (name.startsWith("$")) continue;
    const texts = form.getAll(name).filter((value) => typeof value === "string" && value !== "") as string[];
    if (name.endsWith("[]")) fields.set(name.slice(0, -2), texts);
    else fields.set(name, texts.length > 1 ? texts : texts[0]);
  }
  return Object.fromEntries(fields);
}
