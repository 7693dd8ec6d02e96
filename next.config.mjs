/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // The API answers `/referrer/` itself instead of redirecting a POST.
  skipTrailingSlashRedirect: true,
  // No optimiser: tenants' pictures are never fetched by this server.
  images: { unoptimized: true },
  serverExternalPackages: ["pg", "pino", "@node-rs/argon2", "ioredis"],
  typescript: { ignoreBuildErrors: true },
};

export default config;
