/** Whether a listening host, by name or address, is reachable from this machine only. */
export const isLoopback = (host: string): boolean => /^(localhost|127\.[0-9.]+|::1)$/i.test(host)
