import { serveProduction } from "@/lib/cli/serve";

// `start` of a release, which contains the build and everything else.
await serveProduction();
