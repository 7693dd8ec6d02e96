import { findAssociation } from "@/lib/deep-links/find";
import { associationRoute } from "@/lib/http/association";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = associationRoute((host) =>
  findAssociation("apple", host),
);
