import { database } from "@/lib/platform/db/client";
import { drainSpool } from "@/lib/program/confirmations/spool";

/** Runs as a separate process in tests: imports the spool of DATA_DIR until it is killed. */
await drainSpool(database());
