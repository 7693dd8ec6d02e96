import { reportMetrics } from "@/lib/web/http/metrics";
import { route } from "@/lib/web/http/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: reportMetrics });
