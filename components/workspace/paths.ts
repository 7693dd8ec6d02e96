/** The address of a workspace; its rooms are below. */
export const workspacePath = (workspaceId: string): string => `/dashboard/workspaces/${workspaceId}`;
