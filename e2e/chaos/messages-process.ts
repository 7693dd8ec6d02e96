import { setTimeout as pause } from "node:timers/promises";
import { queuePost } from "@/lib/outward/problems/post";
import { database } from "@/lib/platform/db/client";
import { sendEmail } from "@/lib/platform/email/send";

// Queues emails, with some alerts among them, several times a second until it is killed. Prints each after its commit.
const [, , app = "", channel = ""] = process.argv;
const PAUSE_MS = 150;
const MESSAGES_PER_ALERT = 4;

for (let number = 0; ; number += 1) {
  const kind = number % MESSAGES_PER_ALERT === 0 ? "alert" : "email";
  const name = kind === "email" ? `user-${number}@example.com` : `alert-${number}`;
  const message = { title: name, detail: "A test of chaos", url: "https://metacode.example" };
  const queued = database().transaction(async (db) => {
    if (kind === "email") await sendEmail(db, { to: name, subject: "Chaos", text: name });
    else await queuePost(db, { appId: app, channelId: channel, message });
  });
  await queued.then(
    () => process.stdout.write(`${kind} ${name}\n`),
    () => undefined,
  );
  await pause(PAUSE_MS);
}
