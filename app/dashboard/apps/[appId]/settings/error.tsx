"use client";

export { ErrorInFrame as default } from "@/components/shell/page-states";
