import { providerEndpoint } from "@/lib/web/http/provider-endpoint";

/** Section 6: subscription providers report purchases and refunds here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = providerEndpoint();
