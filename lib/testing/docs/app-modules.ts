/** Declarations of the mobile packages in the guides, which are not installed here. */
export const APP_MODULES = `
declare module "@react-native-async-storage/async-storage" {
  const AsyncStorage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default AsyncStorage;
}
declare module "expo-crypto" {
  export function randomUUID(): string;
}
declare module "react-native" {
  import type { ReactNode } from "react";
  export const Platform: { OS: "ios" | "android" };
  export const Share: { share(content: { message: string }): Promise<unknown> };
  export const Linking: {
    getInitialURL(): Promise<string | null>;
    openURL(url: string): Promise<unknown>;
    addEventListener(type: "url", listener: (event: { url: string }) => void): { remove(): void };
  };
  export function Text(props: { children: ReactNode }): ReactNode;
  export function TouchableOpacity(props: { onPress: () => void; children: ReactNode }): ReactNode;
}
declare module "react-native-play-install-referrer" {
  export const PlayInstallReferrer: {
    getInstallReferrerInfo(
      callback: (info: { installReferrer: string } | null, error: { message: string } | null) => void,
    ): void;
  };
}
`;
