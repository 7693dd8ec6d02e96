import { providerEndpoint } from "@/lib/web/http/provider-endpoint";

/** Section 6: where subscription providers report purchases and refunds. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = providerEndpoint();
