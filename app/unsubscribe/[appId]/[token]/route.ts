import { unsubscribeRoute } from "@/lib/web/http/unsubscribe";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = unsubscribeRoute();
