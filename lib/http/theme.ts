/** Light or dark where the reader chose against the system's own; the name of the cookie is the dashboard's. */
export function chosenTheme(request: Request): "light" | "dark" | undefined {
  const cookies = request.headers.get("cookie") ?? "";
  const chosen = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies)?.[1];
  return chosen === "light" || chosen === "dark" ? chosen : undefined;
}
