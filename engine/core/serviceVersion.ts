/** The label of `meta.version` and of the header service-version. It moves with the contract, not with the package. */
export const SERVICE_VERSION = '2026-11'

/** How the service names itself where it asks others, unless its operator names it otherwise. */
export const USER_AGENT = `swap-service/${SERVICE_VERSION}`
