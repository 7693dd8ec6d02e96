import { checkHealth } from "@/lib/health/check";
import { route } from "@/lib/http/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: async () => ({ status: 200, body: await checkHealth() }),
});
