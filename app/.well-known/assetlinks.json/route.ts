import { associationRoute } from "@/lib/web/deep-links/association-route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = associationRoute("android");
