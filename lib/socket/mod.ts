/** WebSockets at the addresses of formats that have them: each frame of a client is an ordinary call. */
export { Sockets } from "./sockets.ts";
