import { checkHealth } from "@/lib/web/http/health";
import { route } from "@/lib/web/http/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: checkHealth });
