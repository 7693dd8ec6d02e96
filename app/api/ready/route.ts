import { checkReadiness, route } from "@/lib/web/http/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: checkReadiness });
