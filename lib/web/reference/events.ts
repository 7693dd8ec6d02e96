import type { JsonObject } from "@/lib/web/openapi/schemas";
import { fieldTable, resolverOf, tableOf } from "./schema-table";

interface Webhook {
  post: {
    description: string;
    parameters: { name: string; description: string }[];
    requestBody: { content: { "application/json": { schema: JsonObject; example: unknown } } };
  };
}

/** The page of the requests that the service sends to webhook endpoints. */
export function eventsMarkdown(document: JsonObject): string {
  const resolve = resolverOf(document);
  const webhooks = document.webhooks as Record<string, Webhook>;
  const [first] = Object.values(webhooks);
  const headers = (first?.post.parameters ?? []).map(({ name, description }) => [`\`${name}\``, description]);
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const { description, requestBody } = post;
    const { schema, example } = requestBody.content["application/json"];
    const { data } = resolve(schema).properties as { data: JsonObject };
    return `## \`${name}\`

${description}

${fieldTable({ properties: { data }, required: ["data"] }, resolve, "optional")}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\``;
  });
  return `# Webhook events

The requests that Metacode sends to your webhook endpoints: signed, sent at least once, and in order for each referral.

[Webhooks](../guides/webhooks.md) says how to add an endpoint and how to check a signature. Answer with any 2xx status: other
answers are sent again, and 410 disables the endpoint. The body of every event has the fields \`type\`, \`timestamp\`, \`version\` and \`data\`.

${tableOf(["Header", "Meaning"], headers)}

${events.join("\n\n")}
`;
}
