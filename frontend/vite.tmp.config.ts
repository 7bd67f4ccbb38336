import { mergeConfig } from "vite";
import base from "./vite.config";
const target = { target: "http://127.0.0.1:8250", changeOrigin: true, headers: { origin: "http://127.0.0.1:8250" } };
const proxy = Object.fromEntries(["/product", "/user", "/report", "/settings", "/source", "/mark", "/demo", "/collection", "/category", "/picture", "/queue", "/subscriber", "/outgoing", "/key", "/webhook", "/channel", "/server"].map((p) => [p, target]));
export default mergeConfig(typeof base === "function" ? await (base as any)({ command: "serve", mode: "development" }) : base, { server: { proxy, port: 8251, host: "127.0.0.1" } });
