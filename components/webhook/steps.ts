/** What a receiver does with the secret. */
export const SIGNING_STEPS: readonly string[] = [
  "Store the secret on your server.",
  "Check webhook-id, webhook-timestamp and webhook-signature with any Standard Webhooks library, over the body as it came.",
  "Answer with a status of 200 to 299. Remember webhook-id: the same event may come more than once.",
];

/** A receiver that checks the signature, in whole. */
export const RECEIVER = `const { createServer } = require("node:http");
const { Webhook } = require("standardwebhooks");

const webhook = new Webhook("whsec_..."); // the signing secret

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    // The body as it came: parsed and written again it would not match.
    const event = webhook.verify(Buffer.concat(parts), request.headers);
    console.log(request.headers["webhook-id"], event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(8080);`;
