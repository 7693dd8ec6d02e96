import { checkStyle, checkTypes } from "@/lib/cli/checks";

// What takes seconds: for a look before each commit. `npm test` runs everything.
const counts = [await checkStyle(), await checkTypes()];
process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
