import { authRoute } from "@/lib/web/session/auth-route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = authRoute;
