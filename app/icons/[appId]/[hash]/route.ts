import { findIcon } from "@/lib/apps/find-icon";
import { imageResponse } from "@/lib/http/image";
import { textResponse } from "@/lib/http/text";

interface Given {
  params: Promise<{ appId: string; hash: string }>;
}

export async function GET(_request: Request, { params }: Given): Promise<Response> {
  const { appId, hash } = await params;
  const icon = await findIcon(appId, hash);
  return icon ? imageResponse(icon) : textResponse(404, "There is no such icon");
}
