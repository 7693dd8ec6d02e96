import { shareImageRoute } from "@/lib/web/share-image/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = shareImageRoute();
