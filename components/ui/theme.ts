/** The cookie that stores light or dark if the visitor chose a theme other than the system's. */
export const THEME_COOKIE = "theme";
