import { serveProduction } from "@/lib/cli/serve";

// `start` of a release: the build is beside it, and so is everything else.
await serveProduction();
