/** Where the services are that people sign in with; tests put servers of their own here. */
export const OAUTH_ENDPOINTS = {
  github: {
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    api: "https://api.github.com",
  },
  google: { issuer: "https://accounts.google.com" },
};
