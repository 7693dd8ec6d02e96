/** Behind a proxy that rewrites the host, forms still come from the public address. */
const host = process.env.APP_URL ? new URL(process.env.APP_URL).host : undefined;

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // The API answers `/referrer/` itself instead of redirecting a POST.
  skipTrailingSlashRedirect: true,
  // No optimiser: tenants' pictures are never fetched by this server.
  images: { unoptimized: true },
  serverExternalPackages: [
    "pg",
    "pino",
    "@node-rs/argon2",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "ioredis",
    "nodemailer",
    "prom-client",
    "undici",
    "@apple/app-store-server-library",
  ],
  experimental: {
    serverActions: { allowedOrigins: host ? [host] : [] },
    // The cache makes the next build five times as fast, and takes a fifth of the first: CI builds a clone only once.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
  typescript: { ignoreBuildErrors: true },
};

export default config;
