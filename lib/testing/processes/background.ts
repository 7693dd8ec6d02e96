import { startQueues } from "@/lib/web/background/rounds";

/** Runs as a separate process in tests: runs every queue and round until it is killed. */
startQueues();
process.stdout.write("working\n");
