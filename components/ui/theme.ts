/** The cookie that stores light or dark when the visitor chose other than the system's theme. */
export const THEME_COOKIE = "theme";
