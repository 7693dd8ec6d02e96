import { authRoute } from "@/lib/session/auth-route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = authRoute;
