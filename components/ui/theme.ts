/** Remembers light or dark where a person chose against the system's own. */
export const THEME_COOKIE = "theme";
