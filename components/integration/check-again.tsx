"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { isReachable } from "@/components/ui/catch-failure";
import { toast } from "@/components/ui/toast";

/** Runs every check of the page again. */
export function CheckAgain() {
  const router = useRouter();
  const [pending, start] = useTransition();
  const check = () =>
    start(async () => {
      if (!(await isReachable())) return toast("The server cannot be reached. Nothing was checked.");
      // A second transition, because updates after an `await` no longer belong to the first.
      start(() => {
        router.refresh();
        toast("Checked again");
      });
    });
  return (
    <Button variant="secondary" pending={pending} onClick={check}>
      Check again
    </Button>
  );
}
