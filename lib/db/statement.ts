const texts = new Map<string, string>();

/**
 * `select name($1, ...) as result`: one call outside an explicit transaction, every argument a parameter, which is the
 * form that a sharded engine hands whole to the shard of its first argument.
 */
export function statementText(name: string, arity: number): string {
  let text = texts.get(name);
  if (!text) {
    const places = Array.from({ length: arity }, (_, index) => `$${index + 1}`).join(", ");
    text = `select ${name}(${places}) as result`;
    texts.set(name, text);
  }
  return text;
}
