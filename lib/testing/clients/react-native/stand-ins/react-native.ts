const Platform = { OS: "ios" };

export { Platform };
