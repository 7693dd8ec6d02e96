import { buildProduction } from "@/lib/cli/production";
import { serveProduction } from "@/lib/cli/serve";
import { endWithPackageManager } from "@/lib/cli/start-checks";

endWithPackageManager();
await serveProduction(buildProduction);
