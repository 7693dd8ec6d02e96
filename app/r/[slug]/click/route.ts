import { clickRoute } from "@/lib/web/landing/click-route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = clickRoute();
