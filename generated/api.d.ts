// Generated from openapi.yaml by `npm run generate`. Do not edit.
export interface paths {
    readonly "/api/v1/chains": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the chains
         * @description Returns the supported chains. The list is static and safe to cache. Other operations take its `chainId`.
         */
        readonly get: operations["chains"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Build the payload that executes a quote
         * @description Builds the payload that the caller's wallet signs, broadcasts or sends. Branch on `executionType` alone. If `approval` is
         *     present, complete it first.
         *
         *     Repeating the call with the same fields is safe: it returns the same deposit address, typed data or transaction. One quote
         *     accepts up to eight different pairs of recipient and refund address.
         *
         *     If a transaction carries `submit`, the client never broadcasts it. Sign `transaction.serialized` and post it to `submit.url`
         *     with the `quoteToken` of this response. Once that transaction can no longer land and has paid nothing, repeating the call
         *     returns a fresh one. The fresh transaction has its own `statusRef` and `quoteToken`.
         *
         *     The fee is always the fee of the key that requested the quote. Events of the swap belong to the key of the first call that
         *     executed it. If that call had no key, they belong to the key of the quote.
         */
        readonly post: operations["execute"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Report the health of the service and its venues
         * @description Reports the state of the service and its venues. The HTTP status is always 200: read `data.status` instead. The operation
         *     has no rate limit and ignores `x-api-key`. `excludeVenues` of a quote accepts the venue ids listed here.
         */
        readonly get: operations["health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the settings and earnings of a key
         * @description Returns the settings and limits of the calling key, and its earned and paid-out fees by token. The response contains neither
         *     the key nor its webhook secret.
         */
        readonly get: operations["readKey"];
        readonly put?: never;
        /**
         * Sign up for a key
         * @description Issues a self-serve key at once, without review. The key raises the rate limit and earns the fee that its owner sets. It
         *     does not gate access and carries no spending authority.
         *
         *     This response is the only one that contains the key: the service stores only a hash of it. Contact details are for the
         *     operator only and are never logged.
         *
         *     The service accepts five valid signups per minute from one IPv4 address or IPv6 /64. `RateLimit` reports this limit as
         *     `signup`.
         */
        readonly post: operations["createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the settings of a key
         * @description Changes the settings of the calling key, all or nothing. The key is the proof of ownership.
         *
         *     A key that is used in a browser is public, and each of its readers can change its settings. Two rules protect the owner:
         *
         *     - Each change is an event in `GET /api/v1/keys/events`.
         *     - A payout address that replaces another takes effect only after a hold, 72 hours by default. Until then, setting the old
         *       address again cancels the change at once.
         *
         *     The first payout address of an ecosystem takes effect at once. An enterprise key can set `payoutAddresses` only. The service
         *     accepts 50 changes in 24 hours, and each changed setting counts as one.
         */
        readonly patch: operations["updateKey"];
        readonly trace?: never;
    };
    readonly "/api/v1/keys/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the events of a key
         * @description Lists the events of the calling key, oldest first: the ends of swaps that were executed with it, and changes of its
         *     settings. The service stores events for 90 days and never rewrites them. Read this list to find events that a webhook
         *     missed.
         *
         *     If a swap continues after its end (for example, a refund after `swap.failed`), the list shows another event. No second
         *     webhook follows.
         *
         *     Pass `next` as `after` to read the next page. Ids have no gaps. `delivery` shows the current state, all other fields the
         *     state at the time of the event.
         */
        readonly get: operations["keyEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/keys/webhook-test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test to the webhook of a key
         * @description Sends a signed `webhook.test` event to the registered URL at once, in the same way as every webhook, and returns the result.
         *     The event never appears in `GET /api/v1/keys/events`. The limit is five tests per minute. The request has no body.
         */
        readonly post: operations["webhookTest"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/quote": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Quote a swap
         * @description Asks the venues for offers and returns the best-priced route. Pass `quoteToken` to `/api/v1/execute` before `expiresAt`.
         *
         *     If `executable` is false, the quote is a preview. Request a fresh quote with the missing `destinationAddress` or
         *     `refundAddress`.
         */
        readonly post: operations["quote"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Track a swap
         * @description Reports where the money is. Poll every few seconds (once a minute from Bitcoin) until `status` is `success`, `refunded` or
         *     `failed`. Keep polling at `expired`: a refund may follow. The operation works after the quote has expired. For a sandbox
         *     quote it accepts any `ref`.
         */
        readonly get: operations["status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/submit-signature": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit the signature of a SIGNATURE execution
         * @description Sends the signature over the typed data to the venue of the quote. Then poll `/api/v1/status` with the returned `statusRef`.
         */
        readonly post: operations["submitSignature"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/submit-transaction": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit the signed transaction of a TRANSACTION execution that carries submit
         * @description Accepts the signed Solana `TRANSACTION` of a quote made with `broadcastViaService`. The service checks that the signed
         *     transaction still makes the same payment, then sends it. Do not broadcast it yourself.
         *
         *     Its blockhash expires about a minute after `/api/v1/execute`, so sign and post promptly. Then poll `/api/v1/status` with the
         *     `statusRef` from `/api/v1/execute`.
         *
         *     The fee payer, signers and blockhash must match `transaction.serialized`. All its instructions must be present at the top
         *     level, in order and unchanged. A wallet may add, change or remove instructions of two programs only:
         *
         *     - `ComputeBudget111111111111111111111111111111`
         *     - the guard program Lighthouse, `L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95`
         *
         *     The service rejects a transaction of a contract wallet that wraps the instructions in its own program.
         *
         *     Posting the same `signedTransaction` again is always safe. It lands at most once, so a retry never pays twice. For a sandbox
         *     quote the service runs the checks, sends nothing, and returns a synthetic `txHash`.
         */
        readonly post: operations["submitTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/tokens/btc-coverage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Count the venues that serve each token from native Bitcoin
         * @description Counts, for each token of a chain, the venues that list a swap from native Bitcoin. The service reads the published lists of
         *     the venues in the background. If a list cannot be refreshed, the service uses the previous one. A quote shows the current
         *     availability and price.
         */
        readonly get: operations["btcCoverage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/tokens/resolve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Resolve a token by chain and address
         * @description Reads the metadata of a token from its chain. Use `decimals` to convert a human-readable amount into the smallest unit.
         */
        readonly get: operations["resolveToken"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Build the payload that executes a quote (paid)
         * @description The paid variant of `/api/v1/execute`, with the same body and the same responses. See "Pay per call" in the introduction.
         *     Each `quoteToken` works in both variants.
         *
         *     `submit.url` names the plain operation. `/api/v1/x402/submit-signature` and `/api/v1/x402/submit-transaction` accept the
         *     same body.
         */
        readonly post: operations["x402Execute"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/quote": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Quote a swap (paid)
         * @description The paid variant of `/api/v1/quote`, with the same body and the same responses. See "Pay per call" in the introduction. Each
         *     `quoteToken` works in both variants.
         */
        readonly post: operations["x402Quote"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Track a swap (paid)
         * @description The paid variant of `/api/v1/status`, with the same query and the same responses. See "Pay per call" in the introduction.
         *     Each `quoteToken` works in both variants.
         */
        readonly get: operations["x402Status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/submit-signature": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit the signature of a SIGNATURE execution (paid)
         * @description The paid variant of `/api/v1/submit-signature`, with the same body and the same responses. See "Pay per call" in the
         *     introduction. Each `quoteToken` works in both variants.
         */
        readonly post: operations["x402SubmitSignature"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/submit-transaction": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit the signed transaction of a TRANSACTION execution that carries submit (paid)
         * @description The paid variant of `/api/v1/submit-transaction`, with the same body and the same responses. See "Pay per call" in the
         *     introduction. Each `quoteToken` works in both variants.
         */
        readonly post: operations["x402SubmitTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A positive integer in the token's smallest unit.
         * @example 25000000
         */
        readonly Amount: string;
        /**
         * @description A non-negative integer in the smallest unit.
         * @example 0
         */
        readonly AmountOrZero: string;
        /**
         * @description An ERC-20 approval of exactly `amount`, never unlimited. Present only while the allowance is too small and no `approvalData`
         *     sets it. If `reset` is present, broadcast it first, then `transaction`. Wait for both before you continue.
         */
        readonly Approval: {
            readonly amount: components["schemas"]["Amount"];
            readonly reset?: components["schemas"]["ApprovalTransaction"];
            readonly spender: components["schemas"]["EvmAddress"];
            readonly token: components["schemas"]["EvmAddress"];
            readonly transaction: components["schemas"]["ApprovalTransaction"];
        };
        /** @description A transaction to sign and broadcast on the origin chain. */
        readonly ApprovalTransaction: {
            readonly chainId: components["schemas"]["ChainId"];
            /** @description Call data, 0x-prefixed hex. */
            readonly data: string;
            readonly to: components["schemas"]["EvmAddress"];
            readonly value: components["schemas"]["AmountOrZero"];
        };
        /**
         * @description - `proved`: the service decoded the payload, and the payload enforces the property.
         *     - `taken-on-trust`: the payload cannot show the property, and the service relies on the venue.
         *     - `not-applicable`: nothing leaves the wallet before the swap, so a refund is never needed.
         * @enum {string}
         */
        readonly Assurance: "proved" | "taken-on-trust" | "not-applicable";
        /** @description The earned fees of a partner in one token. */
        readonly Balance: {
            readonly chainId: components["schemas"]["ChainId"];
            readonly earned: components["schemas"]["AmountOrZero"];
            readonly ecosystem: components["schemas"]["PayoutEcosystem"];
            readonly paid: components["schemas"]["AmountOrZero"];
            /** @description The token, or the chain's native marker. */
            readonly token: string;
        };
        /** @description The number of venues that can serve each token of a chain from native Bitcoin. */
        readonly BtcCoverage: {
            readonly chainId: components["schemas"]["ChainId"];
            /**
             * @description Number of venues by token address, in the spelling of `/api/v1/tokens/resolve`. A token that is absent is in no
             *     available list. Empty for Bitcoin itself.
             */
            readonly coverage: {
                readonly [key: string]: number;
            };
            /**
             * @description True if the list of at least one venue was available. The counts are then lower bounds. False means that the coverage is
             *     unknown, not that it is zero.
             */
            readonly filtered: boolean;
        };
        /** @description The coverage, in the envelope of every success. */
        readonly BtcCoverageResponse: {
            readonly data: components["schemas"]["BtcCoverage"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description A supported chain. */
        readonly Chain: {
            readonly chainId: components["schemas"]["ChainId"];
            /**
             * Format: uri
             * @description A public block explorer.
             */
            readonly explorerUrl: string;
            /**
             * Format: uri
             * @description An SVG logo, which any page may embed. Absent if the chain has no logo asset, or if the operator has not set the public
             *     address of the service.
             */
            readonly logoUrl?: string;
            /** @description Name of the chain, for people. */
            readonly name: string;
            readonly nativeCurrency: components["schemas"]["NativeCurrency"];
            /** @description Short name of the chain. */
            readonly shortName: string;
        };
        /**
         * Format: int32
         * @description `-1` is native Bitcoin and `-2` is Solana. All others are EVM chain ids.
         * @enum {integer}
         */
        readonly ChainId: 1 | 10 | 56 | 130 | 137 | 324 | 480 | 999 | 143 | 8453 | 42161 | 59144 | 43114 | 4663 | -1 | -2;
        /** @description The chains, in the envelope of every success. */
        readonly ChainsResponse: {
            /** @description Every supported chain. */
            readonly data: readonly components["schemas"]["Chain"][];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The changed settings with their current values. */
        readonly ChangedKey: {
            readonly feeBps?: components["schemas"]["FeeBps"];
            readonly payoutAddresses?: components["schemas"]["PayoutAddresses"];
            /**
             * @description The secret that signs webhooks. Only the first registration returns it, and it cannot be read later. After a removal,
             *     the next registration returns a new secret.
             */
            readonly webhookSecret?: string;
            /** @description The target of webhooks. Null if the request removed it. */
            readonly webhookUrl?: string | null;
        };
        /** @description The new key. No later response contains it. */
        readonly CreatedKey: {
            /** @description The value to send as `x-api-key`. */
            readonly apiKey: string;
            /**
             * Format: int32
             * @description The requested fee, or 0 by default.
             */
            readonly feeBps: number;
            readonly partnerId: components["schemas"]["PartnerId"];
        };
        /** @description The owner of the new key. Texts must not contain control characters. */
        readonly CreateKeyRequest: {
            /** @description The operations that the project plans to use. */
            readonly apisPlanned?: readonly string[];
            /** @description A short description of the project. */
            readonly blurb?: string;
            /** @description The kind of project. */
            readonly category?: string;
            /** @description The chains that the project uses. */
            readonly chains?: readonly string[];
            /** @description A handle or a link. */
            readonly discord?: string;
            /**
             * Format: email
             * @description Contact address for the operator.
             */
            readonly email: string;
            /**
             * Format: int32
             * @description The fee on swaps that are quoted with the key, in basis points. Without the field, the operator's fee schedule applies
             *     if one is configured, and otherwise no fee. Send 0 to exclude the schedule.
             */
            readonly feeBps?: number;
            /** @description Name of the project that uses the key. */
            readonly projectName: string;
            /** @description A handle or a link. */
            readonly telegram: string;
            /** @description A handle or a link. */
            readonly twitter: string;
            /**
             * Format: uri
             * @description URL of the project, with its scheme.
             */
            readonly website: string;
        };
        /** @description The new key, in the envelope of every success. */
        readonly CreateKeyResponse: {
            readonly data: components["schemas"]["CreatedKey"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description A payment to make: exactly `amount` of `token`, in its smallest unit, to `address`. `amount` may be less than `input.amount`
         *     of the quote, within its `depositAmount`.
         */
        readonly Deposit: {
            /** @description The address to send the origin asset to. */
            readonly address: string;
            readonly amount: components["schemas"]["Amount"];
            readonly chainId: components["schemas"]["ChainId"];
            readonly token: components["schemas"]["Token"];
        };
        /** @description Send the origin asset to `deposit.address`, by wallet transfer or by hand. */
        readonly DepositExecution: {
            readonly deposit: components["schemas"]["Deposit"];
            /**
             * @description The field to branch on. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly executionType: "DEPOSIT";
            readonly ignored?: components["schemas"]["IgnoredFields"];
            readonly proof: components["schemas"]["Proof"];
            /** @description The `ref` for `/api/v1/status`, equal to the deposit address. */
            readonly statusRef: string;
        };
        /**
         * @description The range of `deposit.amount`. Present only if the deposit may be less than `input.amount`. Pay `deposit.amount` of
         *     `/api/v1/execute`, never `input.amount`.
         *
         *     THORChain from Bitcoin identifies the swap by the last five digits of the amount. Therefore the deposit is up to 99999
         *     satoshi less. `output` is priced for `min`.
         */
        readonly DepositRange: {
            readonly max: components["schemas"]["Amount"];
            readonly min: components["schemas"]["Amount"];
        };
        /**
         * @description The introduction explains each code. Treat a code you do not know by the HTTP status of its response.
         * @enum {string}
         */
        readonly ErrorCode: "INVALID_REQUEST" | "UNSUPPORTED_TOKEN" | "UNSUPPORTED_CHAIN" | "NO_LIQUIDITY" | "QUOTE_EXPIRED" | "QUOTE_INVALID" | "QUOTE_NOT_EXECUTABLE" | "RATE_LIMITED" | "UNAUTHORIZED" | "NOT_CONFIGURED" | "NOT_FOUND" | "INTERNAL" | "ORDER_REJECTED" | "BUILD_FAILED";
        /** @description The envelope of every failure. */
        readonly ErrorResponse: {
            readonly error: components["schemas"]["Failure"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description Address of an EVM chain: `0x` and 40 hex digits, in checksummed spelling.
         * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
         */
        readonly EvmAddress: string;
        /** @description The quote to execute. */
        readonly ExecuteRequest: {
            /**
             * @description Late-bound recipient, an address of the output chain. Prefer to send it with the quote.
             *
             *     Across always ignores the field here, because it fixes the recipient at quote time. Relay does so when Solana is the
             *     origin or the destination. The response then lists the field in `ignored`.
             */
            readonly destinationAddress?: string;
            /** @description The token from `/api/v1/quote`, verbatim. */
            readonly quoteToken: string;
            /**
             * @description Late-bound refund recipient, an address of the input chain. Prefer to send it with the quote.
             *
             *     Across always ignores the field here, because it fixes the address at quote time. Relay does so from Bitcoin. A payload
             *     that holds no input (`proof.refund` is `not-applicable`) needs no refund address. The response then lists the field in
             *     `ignored`.
             */
            readonly refundAddress?: string;
        };
        /** @description The payload to complete, in the envelope of every success. */
        readonly ExecuteResponse: {
            readonly data: components["schemas"]["Execution"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The payload for the caller's wallet, by `executionType`. */
        readonly Execution: components["schemas"]["TransactionExecution"] | components["schemas"]["SignatureExecution"] | components["schemas"]["DepositExecution"];
        /** @description The reason why the call failed. */
        readonly Failure: {
            readonly code: components["schemas"]["ErrorCode"];
            readonly details?: components["schemas"]["FailureDetails"];
            /** @description An explanation for people. The text may change. */
            readonly message: string;
        };
        /** @description Facts about the failure. Each response documents the members that it can contain. Other members may be added. */
        readonly FailureDetails: {
            /**
             * Format: double
             * @description The chain that is unsupported or unreachable.
             */
            readonly chainId?: number;
            /** @description One entry per venue that was asked for an offer. */
            readonly declines?: readonly components["schemas"]["VenueDecline"][];
            /**
             * Format: double
             * @description The time at which the quote expired, in milliseconds since 1970 (UTC).
             */
            readonly expiresAt?: number;
            /** @description The fields that failed validation. */
            readonly fields?: readonly components["schemas"]["FieldProblem"][];
            /** @description The kind of failure of the venue. Other values may be added. */
            readonly kind?: string;
            /** @description Addresses that the quote lacks. Request a fresh quote with them. */
            readonly missing?: readonly string[];
            /** @description A more precise cause. Other values may be added. */
            readonly reason?: string;
            /** @description True if the same request may succeed later. */
            readonly retryable?: boolean;
            /**
             * Format: int32
             * @description Seconds to wait before the next request, the same as the header `Retry-After`.
             */
            readonly retryAfterSec?: number;
            /** @description The `ref` for `/api/v1/status` of an earlier payload. */
            readonly statusRef?: string;
            /** @description The error that Solana reported for the transaction: a string, or an object with more detail. */
            readonly transactionError?: unknown;
            /** @description The Solana signature of a transaction that may have landed. */
            readonly txHash?: string;
            readonly venue?: components["schemas"]["VenueId"];
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description The applied integrator fee, already deducted from the output. `amount` is in the output token's smallest unit.
         *
         *     `amount` is the venue's figure, unless it is less than half or more than twice `bps` of the output. In that case the service
         *     computes it from `bps`.
         */
        readonly Fee: {
            readonly amount: components["schemas"]["AmountOrZero"];
            /**
             * Format: int32
             * @description The fee in basis points (100 are 1 %) of the output, or of the input where the venue takes it there.
             */
            readonly bps: number;
            readonly token: components["schemas"]["Token"];
        };
        /**
         * Format: int32
         * @description A fee in basis points (100 are 1 %) of the output, or of the input where the venue takes it there.
         */
        readonly FeeBps: number;
        /** @description A changed fee. */
        readonly FeeChange: {
            /**
             * Format: int32
             * @description The previous fee. Null if no fee was set.
             */
            readonly before: number | null;
            readonly feeBps: components["schemas"]["FeeBps"];
        };
        /** @description One field of the request that failed validation. */
        readonly FieldProblem: {
            /** @description Path of the field, such as `payoutAddresses.evm` or `excludeVenues[3]`. */
            readonly path: string;
            /** @description An explanation for people. The text may change. */
            readonly reason: string;
        };
        /** @description The state of the service. */
        readonly Health: {
            /**
             * @description `degraded` while at least one of these holds:
             *
             *     - A venue that the service uses is not healthy.
             *     - The service cannot write its records.
             *     - No endpoint of a chain answers.
             *     - The process can open no more files or connections.
             *     - The clock of the service is wrong.
             *     - The facilitator of payments does not answer.
             * @enum {string}
             */
            readonly status: "ok" | "degraded";
            /** @description One entry per venue. */
            readonly venues: readonly components["schemas"]["VenueHealth"][];
        };
        /** @description The state of the service, in the envelope of every success. */
        readonly HealthResponse: {
            readonly data: components["schemas"]["Health"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description Fields of the request that had no effect. Present only if there are any. Causes:
         *
         *     - The venue fixed another address at quote time. The payload then uses the address of the quote.
         *     - The payload holds no input to refund.
         *
         *     To use another address, request a fresh quote with it.
         */
        readonly IgnoredFields: readonly ("destinationAddress" | "refundAddress")[];
        /** @description The settings, limits and earnings of a key's owner. */
        readonly KeyAccount: {
            /** @description Balances by token, in smallest units. The amount still owed is `earned` less `paid`. */
            readonly balances: readonly components["schemas"]["Balance"][];
            /**
             * Format: double
             * @description The time of the signup, in milliseconds since 1970.
             */
            readonly createdAt: number;
            /**
             * Format: int32
             * @description The fee in basis points. Null until a fee is set: the operator's fee schedule then applies, if one is configured.
             */
            readonly feeBps: number | null;
            readonly limits: components["schemas"]["KeyLimits"];
            readonly partnerId: components["schemas"]["PartnerId"];
            /** @description For each ecosystem, the address in effect and the address that follows after its hold. */
            readonly payoutAddresses: readonly components["schemas"]["StandingAddress"][];
            /**
             * @description Origin of the key: signup or operator.
             * @enum {string}
             */
            readonly tier: "self-serve" | "enterprise";
            /** @description The target of webhooks. Null if no webhook is registered. */
            readonly webhookUrl: string | null;
        };
        /** @description A page of the list. */
        readonly KeyEvents: {
            /** @description The events, oldest first. */
            readonly events: readonly components["schemas"]["PartnerEvent"][];
            /** @description True if more events exist already. */
            readonly hasMore: boolean;
            /** @description The value of `after` for the next page. */
            readonly next: string;
        };
        /** @description A page of the list, in the envelope of every success. */
        readonly KeyEventsResponse: {
            readonly data: components["schemas"]["KeyEvents"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The rate limits of the key. */
        readonly KeyLimits: {
            /**
             * Format: int32
             * @description Limit that all self-serve keys used from one address share. Null without such a limit.
             */
            readonly requestsPerAddressPerMinute: number | null;
            /**
             * Format: int32
             * @description Limit of all keys of the owner together. 0 if the operator allows no requests.
             */
            readonly requestsPerMinute: number;
        };
        /** @description Metadata of the response. */
        readonly Meta: {
            readonly requestId: components["schemas"]["RequestId"];
            readonly version: components["schemas"]["Version"];
        };
        /** @description The native coin of a chain. */
        readonly NativeCurrency: {
            /**
             * Format: int32
             * @description Decimal places between the smallest unit and the whole coin.
             */
            readonly decimals: number;
            /** @description Name of the coin. */
            readonly name: string;
            /** @description Ticker of the coin. */
            readonly symbol: string;
        };
        /** @description The reason why the call did not start. */
        readonly Overloaded: {
            readonly code: components["schemas"]["OverloadedCode"];
            /** @description When to repeat the request. */
            readonly details: {
                /**
                 * @description Always true.
                 * @example true
                 */
                readonly retryable: boolean;
                /**
                 * Format: int32
                 * @description Seconds to wait.
                 * @example 2
                 */
                readonly retryAfterSec: number;
            };
            /** @description An explanation for people. The text may change. */
            readonly message: string;
        };
        /**
         * @description The code of a request that was rejected for overload.
         * @enum {string}
         */
        readonly OverloadedCode: "OVERLOADED";
        /** @description The envelope of a request that was rejected for overload. */
        readonly OverloadedResponse: {
            readonly error: components["schemas"]["Overloaded"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description One event of a key. Besides the common fields it carries `swap`, `fee`, `payoutAddress`, `webhook` or `removedWebhook`,
         *     according to `event`. Ignore an event that you do not know.
         */
        readonly PartnerEvent: {
            /**
             * Format: double
             * @description The time of the event, in milliseconds since 1970.
             */
            readonly createdAt: number;
            readonly delivery: components["schemas"]["WebhookDelivery"];
            /**
             * @description `swap.settled`, `swap.refunded` and `swap.failed` are also sent as webhooks. `fee.changed`, `payout-address.changed`,
             *     `webhook.changed` and `webhook.removed` are not. Other values may be added.
             */
            readonly event: string;
            readonly fee?: components["schemas"]["FeeChange"];
            /** @description Position of the event in the list of this key, counted from 1. */
            readonly id: string;
            readonly payoutAddress?: components["schemas"]["PayoutAddressChange"];
            readonly removedWebhook?: components["schemas"]["WebhookRemoval"];
            /** @description Id of the request that caused the event: the `/execute` of the swap, or the change of the settings. */
            readonly requestId: string;
            readonly swap?: components["schemas"]["SwapOutcome"];
            readonly webhook?: components["schemas"]["WebhookChange"];
        };
        /** @description Public id of the owner of a key. It is not a secret. */
        readonly PartnerId: string;
        /** @description A payment of the swap, as observed on its chain. */
        readonly Payment: {
            readonly amount?: components["schemas"]["Amount"];
            readonly chainId: components["schemas"]["ChainId"];
            /** @description True if the payment can no longer be reverted. `success` is reported earlier. */
            readonly final: boolean;
            /**
             * @description - `input`: the payment of the wallet.
             *     - `output`: the delivery to the recipient.
             *     - `refund`: the refund to the refund address.
             *     - `extra`: a payment beside the input, made by the same address or payload.
             * @enum {string}
             */
            readonly kind: "input" | "output" | "refund" | "extra";
            /** @description The token that moved, or the chain's native marker. */
            readonly token: string;
            /** @description The transaction of the payment. */
            readonly txHash: string;
        };
        /**
         * @description The codes of failures that concern the payment.
         * @enum {string}
         */
        readonly PaymentErrorCode: "PAYMENT_REQUIRED" | "PAYMENT_PENDING" | "NOT_CONFIGURED";
        /** @description The envelope of a failure that concerns the payment. */
        readonly PaymentErrorResponse: {
            readonly error: components["schemas"]["PaymentFailure"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The reason why the payment was not accepted. */
        readonly PaymentFailure: {
            readonly code: components["schemas"]["PaymentErrorCode"];
            readonly details?: components["schemas"]["FailureDetails"];
            /** @description An explanation for people. The text may change. */
            readonly message: string;
        };
        /** @description The reason why a paid call has no result now. */
        readonly PaymentUnavailable: {
            readonly code: components["schemas"]["PaymentUnavailableCode"];
            readonly details?: components["schemas"]["FailureDetails"];
            /** @description An explanation for people. The text may change. */
            readonly message: string;
        };
        /**
         * @description `PAYMENT_PENDING` and `OVERLOADED` ask for the same request with the same payment. `NOT_CONFIGURED` means that the
         *     installation accepts no payments.
         * @enum {string}
         */
        readonly PaymentUnavailableCode: "PAYMENT_PENDING" | "NOT_CONFIGURED" | "OVERLOADED";
        /** @description The envelope of a paid call that has no result now. */
        readonly PaymentUnavailableResponse: {
            readonly error: components["schemas"]["PaymentUnavailable"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description A changed payout address. */
        readonly PayoutAddressChange: {
            /** @description The address. */
            readonly address: string;
            /** @description The latest previous address, in effect or on hold. Null if no address was set. */
            readonly before: string | null;
            /**
             * Format: double
             * @description The time from which payouts go to this address, in milliseconds since 1970.
             */
            readonly countsFrom: number;
            readonly ecosystem: components["schemas"]["PayoutEcosystem"];
        };
        /** @description The latest address of each ecosystem. */
        readonly PayoutAddresses: {
            /** @description On EVM chains. */
            readonly evm?: string;
            /** @description On Solana. */
            readonly solana?: string;
            /** @description On THORChain. */
            readonly thorchain?: string;
        };
        /** @description The payout addresses of earned balances. An ecosystem that is absent keeps its address. */
        readonly PayoutAddressesRequest: {
            /** @description An address on EVM chains. Mixed case must match the checksum. */
            readonly evm?: string;
            /** @description A wallet on Solana. */
            readonly solana?: string;
            /** @description `thor1` and 38 lower-case letters and digits. */
            readonly thorchain?: string;
        };
        /**
         * @description The ecosystem of a payout: EVM chains, Solana, or THORChain. THORChain receives fees that were earned in native Bitcoin or
         *     charged by THORChain.
         * @enum {string}
         */
        readonly PayoutEcosystem: "evm" | "solana" | "thorchain";
        /**
         * @description The properties of a payload that the service verifies before a wallet uses it:
         *
         *     - `recipient`: the output goes to the recipient.
         *     - `minimum`: the output is at least the guaranteed minimum.
         *     - `refund`: a refund returns to the refund address.
         *
         *     From Bitcoin, Relay sends its deposit address unsigned. The service cannot verify that address, so all three parts are
         *     `taken-on-trust`.
         */
        readonly Proof: {
            readonly minimum: components["schemas"]["Assurance"];
            readonly recipient: components["schemas"]["Assurance"];
            readonly refund: components["schemas"]["Assurance"];
        };
        /** @description The best offer, sealed in a token. */
        readonly Quote: {
            readonly approval?: components["schemas"]["Approval"];
            readonly depositAmount?: components["schemas"]["DepositRange"];
            /** @description True if the venue reported no time and the service guessed it. */
            readonly estimatedTimeIsGuess: boolean;
            /**
             * Format: double
             * @description Expected time of the swap from payment to delivery, in seconds.
             */
            readonly estimatedTimeSeconds: number;
            /** @description False for a preview, which is priced against a placeholder address. */
            readonly executable: boolean;
            readonly expectedProof: components["schemas"]["Proof"];
            /**
             * Format: double
             * @description The time at which the quote expires, in milliseconds since 1970 (UTC), without a fraction. `/api/v1/execute` accepts the
             *     quote until then.
             * @example 1795000060000
             */
            readonly expiresAt: number;
            readonly fee: components["schemas"]["Fee"];
            /**
             * Gas
             * @description The native coins that the user must hold for the transaction: the network fee and `venueFee`. Null if no coins are
             *     needed (a signature), or if the fee price is unavailable.
             */
            readonly gas: {
                /** @description True if the venue reported no gas and the service estimated it. */
                readonly estimated: boolean;
                readonly native: components["schemas"]["AmountOrZero"];
                /** @description Ticker of the origin chain's native coin. */
                readonly nativeSymbol: string;
                /**
                 * @description The same amount in US dollars, as a decimal number. Null if the price is unavailable.
                 * @example 0.42
                 */
                readonly usd: string | null;
            } | null;
            readonly input: components["schemas"]["TokenAmount"];
            readonly output: components["schemas"]["TokenAmount"];
            /** @description Opaque and signed. Pass it on verbatim, and never parse it. */
            readonly quoteToken: string;
            readonly routeType: components["schemas"]["RouteType"];
            /**
             * Slippage
             * @description The bound of the output. `guaranteedMin` is in the output token's smallest unit. Null only on a preview of a venue that
             *     reports no bound without addresses.
             */
            readonly slippage: {
                /**
                 * Format: int32
                 * @description Difference between the quoted output and `guaranteedMin`, in basis points (100 are 1 %), rounded up.
                 */
                readonly bps: number;
                readonly guaranteedMin: components["schemas"]["Amount"];
                /**
                 * @description True if a contract or a signed commitment of the venue enforces the minimum. Then at least `guaranteedMin` arrives,
                 *     or the swap does not take place. The delivery can still be less than the quoted output.
                 */
                readonly isFirm: boolean;
            } | null;
            readonly venue: components["schemas"]["VenueRef"];
            /**
             * VenueFee
             * @description The fee that the venue charges beside the input, in the origin chain's native coin. `gas.native` and the `value` of the
             *     transaction include it. The ranking of offers deducts it. Null for most venues, which charge no such fee.
             */
            readonly venueFee: {
                readonly native: components["schemas"]["Amount"];
                /** @description Ticker of the origin chain's native coin. */
                readonly nativeSymbol: string;
            } | null;
        };
        /**
         * @description The swap to quote. `inputChainId` is the origin chain and `outputChainId` the destination chain. `inputAmount` is in the
         *     input token's smallest unit.
         */
        readonly QuoteRequest: {
            /**
             * @description If true, the service broadcasts a Solana `TRANSACTION`: `/api/v1/execute` then returns a `submit.url` of
             *     `/api/v1/submit-transaction`. The flag has no effect on any other execution. The default is false.
             */
            readonly broadcastViaService?: boolean;
            /**
             * @description Recipient on the destination chain. The default is `userAddress`, without a check that a contract wallet exists on that
             *     chain. Cross-ecosystem swaps require the field.
             *
             *     Send it with the quote. Across always fixes the recipient at quote time. Relay does so when Solana is the origin or the
             *     destination. These venues ignore a later recipient of `/api/v1/execute`. Without the field, their cross-ecosystem quote
             *     is a preview (`executable: false`). All other venues also accept the field at `/api/v1/execute`.
             */
            readonly destinationAddress?: string;
            /** @description Venues to exclude from the race, by their ids in `/api/v1/health`. The service rejects an unknown id. */
            readonly excludeVenues?: readonly string[];
            readonly inputAmount: components["schemas"]["Amount"];
            readonly inputChainId: components["schemas"]["ChainId"];
            /** @description Contract address or mint, or the native sentinel. */
            readonly inputToken: string;
            readonly outputChainId: components["schemas"]["ChainId"];
            /** @description Contract address or mint, or the native sentinel. */
            readonly outputToken: string;
            readonly rankingMode?: components["schemas"]["RankingMode"];
            /**
             * @description The address that receives the input asset if the swap fails. The default is `userAddress`.
             *
             *     Send it with the quote. Across always fixes the refund address at quote time. Relay does so from Bitcoin, and a quote
             *     without the field is a preview there (`executable: false`). These venues ignore a later address of `/api/v1/execute`.
             *     All other venues also accept the field at `/api/v1/execute`.
             */
            readonly refundAddress?: string;
            /** @description If true, the price is live and every later step is simulated. The `quoteToken` carries the flag. The default is false. */
            readonly sandbox?: boolean;
            /**
             * Format: int32
             * @description Accepted difference between the quoted output and the guaranteed minimum, in basis points (100 are 1 %). The default is
             *     that of the winning venue, at most 300 unless the operator sets another maximum.
             *
             *     Venues round. The guaranteed minimum may be lower by one more basis point and two smallest units. `slippage.bps` of the
             *     quote is rounded up, and can then exceed the requested value.
             */
            readonly slippageBps?: number;
            /** @description The sender's address on the origin chain. */
            readonly userAddress: string;
        };
        /** @description The quote in the envelope of every success. */
        readonly QuoteResponse: {
            readonly data: components["schemas"]["Quote"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description `best_output` ranks offers by net output, `fastest` by estimated time. The default is `best_output`.
         * @enum {string}
         */
        readonly RankingMode: "best_output" | "fastest";
        /** @description The settings, in the envelope of every success. */
        readonly ReadKeyResponse: {
            readonly data: components["schemas"]["KeyAccount"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description Id of the request, the same as the header `x-request-id`.
         * @example 0f8a4c1e-6b0d-4a57-9d52-2f6f1f0c7a11
         */
        readonly RequestId: string;
        /** @description The requested token. */
        readonly ResolvedToken: {
            readonly token: components["schemas"]["Token"];
        };
        /** @description The token, in the envelope of every success. */
        readonly ResolveTokenResponse: {
            readonly data: components["schemas"]["ResolvedToken"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description The kind of route. In a `NATIVE_BITCOIN` route one of the two ends is Bitcoin. A `CROSS_ECOSYSTEM` route connects an EVM
         *     chain and Solana.
         * @enum {string}
         */
        readonly RouteType: "EVM_SAME_CHAIN" | "SOLANA_SAME_CHAIN" | "EVM_CROSS_CHAIN" | "CROSS_ECOSYSTEM" | "NATIVE_BITCOIN";
        /** @description Sign `typedData`, and `approvalData` if it is present, then post the signatures to `submit.url`. */
        readonly SignatureExecution: {
            readonly approval?: components["schemas"]["Approval"];
            readonly approvalData?: components["schemas"]["TypedData"];
            /**
             * @description The field to branch on. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly executionType: "SIGNATURE";
            readonly ignored?: components["schemas"]["IgnoredFields"];
            readonly proof: components["schemas"]["Proof"];
            readonly submit: components["schemas"]["SubmitTarget"];
            readonly typedData: components["schemas"]["TypedData"];
        };
        /** @description A payout address that is in effect, or will be after its hold. */
        readonly StandingAddress: {
            /** @description The address. */
            readonly address: string;
            /** @description True if payouts go to this address now. */
            readonly counts: boolean;
            /**
             * Format: double
             * @description The time from which payouts go to this address, in milliseconds since 1970.
             */
            readonly countsFrom: number;
            readonly ecosystem: components["schemas"]["PayoutEcosystem"];
        };
        /** @description The state of the swap, in the envelope of every success. */
        readonly StatusResponse: {
            readonly data: components["schemas"]["SwapStatus"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The quote and the requested signatures. */
        readonly SubmitSignatureRequest: {
            /** @description Hex signature over `approvalData`. Required if `/api/v1/execute` returned `approvalData`, rejected otherwise. */
            readonly approvalSignature?: string;
            /** @description The token from `/api/v1/quote`, verbatim. */
            readonly quoteToken: string;
            /** @description Hex signature over `typedData`: 65 bytes from an ordinary account, longer from a contract wallet. */
            readonly signature: string;
        };
        /** @description The reference of the swap, in the envelope of every success. */
        readonly SubmitSignatureResponse: {
            readonly data: components["schemas"]["SubmittedSignature"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The target of the signatures. */
        readonly SubmitTarget: {
            /** @description Fields to post together with the signature. */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description The path to post the signed result to.
             * @enum {string}
             */
            readonly url: "/api/v1/submit-signature";
        };
        /** @description The order that the venue accepted. */
        readonly SubmittedSignature: {
            /** @description The `ref` for `/api/v1/status`. */
            readonly statusRef: string;
            readonly venue: components["schemas"]["VenueId"];
        };
        /** @description The transaction that was sent. */
        readonly SubmittedTransaction: {
            /** @description The Solana transaction signature, base58. */
            readonly txHash: string;
        };
        /** @description The signed transaction and its quote. */
        readonly SubmitTransactionRequest: {
            /** @description The token from the `/api/v1/execute` response that carried `submit`, verbatim. */
            readonly quoteToken: string;
            /** @description The signed `transaction.serialized`, as text in base64 (standard alphabet, padded). */
            readonly signedTransaction: string;
        };
        /** @description The hash of the transaction, in the envelope of every success. */
        readonly SubmitTransactionResponse: {
            readonly data: components["schemas"]["SubmittedTransaction"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The end of a swap, with the same fields as the webhook. */
        readonly SwapOutcome: {
            /**
             * @description The observed delivery in the smallest unit of the output token. Null if the swap was not delivered, or if the amount is
             *     unknown.
             */
            readonly deliveredOut: string | null;
            /**
             * Format: int32
             * @description Shortfall of `deliveredOut` against the quote, in basis points, rounded up. 0 if nothing is missing, null with
             *     `deliveredOut`.
             */
            readonly slippageBps: number | null;
            /** @description Id of the venue that executed the swap. */
            readonly venue: string;
        };
        /**
         * @description - `pending`: awaiting the deposit, or not yet observed.
         *     - `processing`: funds received, a solver is filling.
         *     - `success`: delivered.
         *     - `expired`: the venue no longer delivers. A refund is owed but not yet issued. Keep polling. Exception: Chainflip keeps a
         *       deposit that is late or below its minimum.
         *     - `refunded`: returned to `refundAddress`, or to `userAddress` by default. Relay may refund the bought asset to that
         *       address on the destination chain.
         *     - `failed`: nothing was paid and nothing can be paid later, or the transaction in `ref` failed.
         *     - `not_found`: the venue has no record of `ref`. The service neither issued it nor observed it paying the swap.
         *     - `unknown`: the service cannot track the venue yet.
         *
         *     If a payment arrives after `failed`, or another transaction of the same payload pays, that payment has its own end.
         * @enum {string}
         */
        readonly SwapState: "pending" | "processing" | "success" | "expired" | "refunded" | "failed" | "not_found" | "unknown";
        /** @description The state of the swap. */
        readonly SwapStatus: {
            readonly deliveredAmount?: components["schemas"]["Amount"];
            /**
             * @description The payments of the swap that the service observed on the chains, in order of observation. If one transaction paid
             *     several executions of the quote, the list covers all of them. Absent if the service observed no payment, or if it relies
             *     on reports of the venues.
             */
            readonly payments?: readonly components["schemas"]["Payment"][];
            readonly status: components["schemas"]["SwapState"];
            /**
             * @description Present instead of `venueStatus` if the venue has no live tracker yet.
             * @enum {string}
             */
            readonly tracking?: "unavailable";
            /**
             * @description The transaction that delivered (`success`, on the destination chain) or refunded (`refunded`, on the origin chain; at
             *     Relay possibly on the destination chain). For a sandbox quote, a synthetic hash. Absent until the transaction exists.
             */
            readonly txHash?: string;
            readonly venue: components["schemas"]["VenueId"];
            /** @description The venue's own status, for debugging. Absent if tracking is unavailable. */
            readonly venueStatus?: string;
        };
        /** @description A token with its metadata from the chain. */
        readonly Token: {
            /** @description Contract address or mint, or the native sentinel. */
            readonly address: string;
            readonly chainId: components["schemas"]["ChainId"];
            /**
             * Format: int32
             * @description Decimal places between the smallest unit and the whole token.
             */
            readonly decimals: number;
            /** @description True for the native coin of the chain. */
            readonly isNative: boolean;
            /** @description Name that the token itself reports. */
            readonly name: string;
            /** @description Ticker that the token itself reports. Tickers are not unique: identify a token by its address. */
            readonly symbol: string;
        };
        /** @description A token and its amount. `input` is the payment of the user. `output` is the expected delivery, net of fees. */
        readonly TokenAmount: {
            readonly amount: components["schemas"]["Amount"];
            readonly token: components["schemas"]["Token"];
        };
        /**
         * @description A raw transaction. On an EVM chain, sign `{ to, data, value, chainId }`. On Solana, sign `serialized`, of which `data` is a
         *     copy.
         */
        readonly Transaction: {
            readonly chainId: components["schemas"]["ChainId"];
            /** @description 0x-prefixed hex on an EVM chain. On Solana, base64 and equal to `serialized`. */
            readonly data: string;
            /** @description On Solana only, the transaction to sign, as text in base64 (standard alphabet, padded). */
            readonly serialized?: string;
            /** @description The contract to call. On Solana, the program, or the account that receives the payment. */
            readonly to: string;
            readonly value: components["schemas"]["AmountOrZero"];
        };
        /**
         * @description Sign and broadcast `transaction`, after `approval` if that is present. With `submit`, sign `transaction.serialized` without
         *     broadcasting it, and post it to `submit.url` together with this `quoteToken`.
         */
        readonly TransactionExecution: {
            readonly approval?: components["schemas"]["Approval"];
            /**
             * @description The field to branch on. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly executionType: "TRANSACTION";
            readonly ignored?: components["schemas"]["IgnoredFields"];
            readonly proof: components["schemas"]["Proof"];
            /** @description The token to post the signed transaction with. It differs from the token of `/api/v1/quote`. Present with `submit`. */
            readonly quoteToken?: string;
            /** @description The `ref` for `/api/v1/status`. Present with `submit`. */
            readonly statusRef?: string;
            readonly submit?: components["schemas"]["TransactionTarget"];
            readonly transaction: components["schemas"]["Transaction"];
        };
        /** @description The target of the signed transaction. Present only if the service broadcasts it. */
        readonly TransactionTarget: {
            /**
             * @description The path to post the signed transaction to.
             * @enum {string}
             */
            readonly url: "/api/v1/submit-transaction";
        };
        /**
         * @description An EIP-712 payload in the form of viem and ethers. For a raw `eth_signTypedData_v4`, add `EIP712Domain` to `types`, from the
         *     fields of `domain`.
         */
        readonly TypedData: {
            readonly domain: components["schemas"]["TypedDataDomain"];
            /** @description The values of `primaryType`. Integers are decimal strings, or numbers if they are small. */
            readonly message: {
                readonly [key: string]: unknown;
            };
            /** @description The struct of `types` to sign. */
            readonly primaryType: string;
            /** @description The fields of every struct, by the name of the struct. */
            readonly types: {
                readonly [key: string]: readonly components["schemas"]["TypedDataField"][];
            };
        };
        /** @description The EIP-712 domain. It consists of the fields that are present. */
        readonly TypedDataDomain: {
            /**
             * Format: int32
             * @description The EVM chain of the signature.
             */
            readonly chainId?: number;
            /** @description Name of the signing domain. */
            readonly name?: string;
            /** @description 32 bytes that distinguish the domain, 0x-prefixed hex. */
            readonly salt?: string;
            readonly verifyingContract?: components["schemas"]["EvmAddress"];
            /** @description Version of the signing domain. */
            readonly version?: string;
        };
        /** @description One field of an EIP-712 struct. */
        readonly TypedDataField: {
            /** @description Name of the field. */
            readonly name: string;
            /** @description EIP-712 type of the field: an atomic type, a struct of `types`, or a list of either. */
            readonly type: string;
        };
        /** @description The settings to change, at least one. */
        readonly UpdateKeyRequest: {
            /**
             * Format: int32
             * @description The fee on later swaps that are quoted with the key, in basis points.
             */
            readonly feeBps?: number;
            readonly payoutAddresses?: components["schemas"]["PayoutAddressesRequest"];
            /**
             * Format: uri
             * @description The target of webhooks, an https URL without user name and password. The service rejects a private IP address, and
             *     delivers nothing to a name that resolves to one. Null removes the webhook and its secret.
             */
            readonly webhookUrl?: string | null;
        };
        /** @description The changed settings, in the envelope of every success. */
        readonly UpdateKeyResponse: {
            readonly data: components["schemas"]["ChangedKey"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The reason why one venue made no offer. The 404 response of a quote explains `kind` and `reason`. */
        readonly VenueDecline: {
            /** @description Id of the check that rejected the answer of the venue. */
            readonly check?: string;
            /** @description The kind of decline. Other values may be added. */
            readonly kind: string;
            /** @description Highest amount of the venue, in smallest units of the input token. */
            readonly maximum?: string;
            /** @description Lowest amount of the venue, in smallest units of the input token. */
            readonly minimum?: string;
            /** @description A more precise cause. Other values may be added. */
            readonly reason?: string;
            /** @description True if a later request may succeed. */
            readonly retryable: boolean;
            readonly venue: components["schemas"]["VenueId"];
        };
        /** @description The state of one venue. */
        readonly VenueHealth: {
            /** @description The kinds of calls that fail: `quote`, `execute`, `submit` or `status`; others may be added. Left out where none does. */
            readonly failing?: readonly string[];
            /** @description False while the last calls of the venue failed, or while the service lacks a key that the venue requires. */
            readonly healthy: boolean;
            readonly id: components["schemas"]["VenueId"];
            /** @description Name of the venue, for people. */
            readonly name: string;
            /**
             * @description The reason why the service does not use the venue at all. Absent while the service uses it. `keyMissing`: the venue
             *     requires a key, and the service does not have one. Other reasons may be added.
             */
            readonly off?: string;
            /**
             * @description The reason why the venue is not healthy. Absent while it is healthy or off.
             *
             *     - `failing`: the venue did not answer, or its answers had errors.
             *     - `keyRefused`: the venue rejects the service's key.
             * @enum {string}
             */
            readonly reason?: "failing" | "keyRefused";
            /**
             * @description Checks of the service that reject every recent answer of the venue to one kind of call. Absent if no check does so. A
             *     venue whose answers are rejected on one chain only stays healthy.
             */
            readonly rejecting?: readonly components["schemas"]["VenueRejecting"][];
        };
        /**
         * @description Id of a venue, as listed by `/api/v1/health`.
         * @example across
         */
        readonly VenueId: string;
        /** @description The winning venue. */
        readonly VenueRef: {
            readonly id: components["schemas"]["VenueId"];
            /** @description Name of the venue, for people. */
            readonly name: string;
        };
        /** @description A check that rejects every recent answer of a venue to one kind of call. */
        readonly VenueRejecting: {
            /** @description The kind of call: `quote`, `execute` or `status`. Other kinds may be added. */
            readonly call: string;
            /**
             * Format: int32
             * @description The chain that all rejected swaps have in common. Absent if they share no chain.
             */
            readonly chainId?: number;
            /** @description Id of the check. The operator finds it in the log, in the metrics and in the runbook. */
            readonly check: string;
        };
        /**
         * @description Year and month of the service's version.
         * @example 2026-11
         */
        readonly Version: string;
        /** @description A changed target of webhooks. */
        readonly WebhookChange: {
            /** @description The previous target. Null if no webhook was registered. */
            readonly before: string | null;
            /** @description The new target. */
            readonly webhookUrl: string;
        };
        /** @description The delivery result of the webhook of an event. */
        readonly WebhookDelivery: {
            /**
             * Format: double
             * @description The time of the attempt, in milliseconds since 1970. Null before the attempt.
             */
            readonly attemptedAt: number | null;
            /**
             * @description The reason why no response arrived. Null otherwise. Other values may be added.
             *
             *     - `noPublicAddress`: the name has no address, or an address that is not public.
             *     - `unreachable`: the connection failed, or closed without a response.
             *     - `certificateRefused`: the certificate of the target is not valid for its name.
             *     - `timeout`: the delivery took longer than ten seconds in all.
             *     - `unreadable`: the response is not valid TLS or HTTP.
             *     - `noWebhook`: the webhook was no longer registered.
             *     - `noSecret`: the service could not read the secret, and sent nothing unsigned.
             */
            readonly failure: string | null;
            /**
             * Format: int32
             * @description HTTP status of the target's response. Null without a response.
             */
            readonly httpStatus: number | null;
            /**
             * @description - `none`: the event has no webhook.
             *     - `due`: the attempt is still due.
             *     - `started`: the result of the attempt is unknown, because the service stopped meanwhile.
             *     - `answered`: the target responded with `httpStatus`, which may be an error.
             *     - `failed`: no response arrived. `failure` contains the reason.
             *
             *     The service never repeats an attempt.
             * @enum {string}
             */
            readonly state: "none" | "due" | "started" | "answered" | "failed";
        };
        /**
         * @description The JSON body of every webhook.
         *
         *     The header `x-service-signature: sha256=<hex>` is the HMAC-SHA256 of the raw bytes, keyed by the key's `webhookSecret`.
         *     Verify it over the received bytes, before parsing, in constant time.
         *
         *     The service sends each event once, follows no redirects, waits at most ten seconds and never repeats the delivery.
         */
        readonly WebhookEvent: {
            /**
             * @description The observed delivery in the smallest unit of the output token. Null if the swap was not delivered, or if the amount is
             *     unknown.
             */
            readonly deliveredOut: string | null;
            /**
             * @description - `swap.settled`: the swap was delivered. - `swap.refunded`: the swap was refunded. - `swap.failed`: the swap failed. - `webhook.test`: the owner of the key requested a test.
             * @enum {string}
             */
            readonly event: "swap.settled" | "swap.refunded" | "swap.failed" | "webhook.test";
            readonly partnerId: components["schemas"]["PartnerId"];
            /** @description Id of the `/execute` request that opened the swap. For a test, the id of its own request. */
            readonly requestId: string;
            /**
             * Format: int32
             * @description Shortfall of `deliveredOut` against the quote, in basis points, rounded up. 0 if nothing is missing, null with
             *     `deliveredOut`.
             */
            readonly slippageBps: number | null;
            /**
             * Format: double
             * @description The time of the delivery of this event, in milliseconds since 1970.
             */
            readonly ts: number;
            /** @description Id of the venue that executed the swap. */
            readonly venue: string;
        };
        /** @description A removed target of webhooks. */
        readonly WebhookRemoval: {
            /** @description The target before the removal. */
            readonly before: string;
        };
        /** @description A test of a webhook. */
        readonly WebhookTest: {
            readonly delivery: components["schemas"]["WebhookDelivery"];
            readonly sent: components["schemas"]["WebhookEvent"];
        };
        /** @description The result of a test, in the envelope of every success. */
        readonly WebhookTestResponse: {
            readonly data: components["schemas"]["WebhookTest"];
            readonly meta: components["schemas"]["Meta"];
        };
    };
    responses: {
        /** @description The body is larger than 64 KB. Send only the documented fields. */
        readonly BodyTooLarge: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `INVALID_REQUEST`: correct the fields listed in `details.fields`. For example, a cross-ecosystem swap needs a
         *     `destinationAddress`. The service rejects a ninth pair of addresses and names the new ones. Request a fresh quote for
         *     it.
         *
         *     `QUOTE_INVALID`: the token is malformed or was altered. Send the token from `/api/v1/quote` verbatim, or request a fresh
         *     quote.
         */
        readonly ExecuteBadRequest: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The quote is past its `expiresAt`, which `details.expiresAt` repeats, or its price is no longer available. The service
         *     returned no payload. Request a fresh quote and execute that one.
         *
         *     If the price is no longer available, `details.venue` names the venue. Values of `details.reason`:
         *
         *     - `priceMoved`: the venue now guarantees less than the quote did.
         *     - `venueDisabled`: the operator has switched the venue off.
         *     - `unsupportedPair`, `amountTooSmall`, `amountTooLarge`, `noLiquidity`: the venue now declines.
         *     - `sameAsAnotherSwap`: an identical swap was executed in the same second. Their payments would be indistinguishable.
         *     - `deadlinePassed`: the payload that was built before has expired.
         *     - `quotedInFuture`: the clock of the instance that made the quote was ahead, or that of this instance is behind. So the deadlines may be wrong.
         */
        readonly ExecuteExpired: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The service returned no payload. Causes:
         *
         *     - The venue failed.
         *     - The payload of the venue does not match the quote (`details.reason` is `payloadMismatch`).
         *     - The venue returned the payload of another swap (`details.reason` is `reusedReference`).
         *     - The quote is a sandbox quote of a venue without a sandbox. The message names the venue.
         *
         *     If `details.retryable` is true, repeat the call. Otherwise request a fresh quote with `details.venue` in
         *     `excludeVenues`. Report `meta.requestId` if the error happens again.
         *
         *     The service checks a payload again before it returns it a second time. If that check fails, the payload is withheld. If
         *     you have already paid, follow the swap with `details.statusRef`, if it is present.
         */
        readonly ExecuteInternal: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Unexpected or venue-side error. If a venue is the cause, `details` contains `venue`, `kind` and `retryable`. Repeat the
         *     request after a pause, unless `retryable` is false. Report `meta.requestId` if the error happens again.
         */
        readonly Internal: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `x-api-key` is missing or unknown. This operation needs a key, because it concerns the settings of that key. The request
         *     counts against the limit of the caller's address.
         */
        readonly KeyRequired: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description No venue can serve the pair or amount: at least one venue declines, or no venue fails. Try an amount between `minimum`
         *     and `maximum`, repeat the request later if a decline is `retryable`, or choose another pair.
         *
         *     `details.declines` has one entry per venue asked: `{ venue, kind, check?, minimum?, maximum?, reason?, retryable }`.
         *     Amounts are in the input token's smallest unit.
         *
         *     Values of `kind`: `unsupportedPair`, `amountTooSmall`, `amountTooLarge`, `noLiquidity`, `badRequest`, `rateLimited`,
         *     `unavailable`, `timeout`, `badResponse`, `rejected`, `notAwaited`.
         *
         *     - `rejected`: a check of this service rejected the venue's answer. `check` is the id of the check, such as
         *       `relay.router`.
         *     - `notAwaited`: the race ended before this venue answered, on an offer that failed a later check.
         *
         *     Values of `reason`:
         *
         *     - `boundTooWide`: the venue's guaranteed minimum is too far below its expected output. Allow more `slippageBps`.
         *     - `senderCannotSign`: the venue needs a signature that the code of the sender's account cannot give.
         *     - `notSold`: a limit of this service, such as a swap before a bridge that no two price lists can compare.
         */
        readonly NoLiquidity: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The quote is a preview (`executable` is false). Request a fresh quote with the missing `destinationAddress` or
         *     `refundAddress`. An address cannot be added to this quote.
         */
        readonly NotExecutable: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is not plain JSON in UTF-8. Send it uncompressed, with the header `content-type: application/json`. */
        readonly NotJson: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The venue no longer accepts the order, because it was signed too late or the venue now declines. No order exists.
         *     Request a fresh quote. `details.venue` and `details.reason` have the meaning of `/api/v1/execute`.
         */
        readonly OrderExpired: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Too many requests run, or too many connections of one address are open. Nothing was done. Wait `Retry-After` seconds
         *     (`details.retryAfterSec`), then repeat the same request. This request counts against no rate limit, unless it waited for
         *     `100 Continue`.
         */
        readonly Overloaded: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["OverloadedResponse"];
            };
        };
        /**
         * @description - `PAYMENT_PENDING`: the result of the payment is still unknown, or payments cannot be settled now. Wait `Retry-After`
         *       seconds (`details.retryAfterSec`), then repeat the same request with the same payment. The service charges the payment at
         *       most once.
         *     - `OVERLOADED`: too many requests run. Nothing was verified or charged. Repeat the request in the same way.
         *     - `NOT_CONFIGURED`: this installation accepts no payments. Use the plain operation.
         */
        readonly PaymentPending: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "Retry-After": components["headers"]["OptionalRetryAfter"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PaymentUnavailableResponse"];
            };
        };
        /**
         * @description The payment is missing or was not accepted. Nothing was charged. Sign one of the payments in the header `PAYMENT-REQUIRED`,
         *     then repeat the request with it as `PAYMENT-SIGNATURE`.
         *
         *     Values of `details.reason`, to which later versions may add:
         *
         *     - `noPayment`: the request carries no payment.
         *     - `malformed`: the payment cannot be read.
         *     - `notAccepted`: it has another network, asset, amount or recipient.
         *     - `notValidNow`: its period of validity is over or has not begun.
         *     - `badSignature`: its payer did not sign it.
         *     - `noFunds`: its payer has too little.
         *     - `spent`: it is used up, or bound to another request.
         *     - `refused`: the facilitator or the chain rejected it.
         */
        readonly PaymentRequired: {
            headers: {
                readonly "PAYMENT-REQUIRED": components["headers"]["PaymentRequired"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PaymentErrorResponse"];
            };
        };
        /**
         * @description The service built no payload, because a simulation on Solana shows that the payment would fail. `details.reason` is
         *     `insufficientFunds` when the wallet lacks the amount or SOL for fees, and `failed` otherwise. `details.transactionError`
         *     is the error of the chain.
         *
         *     Fund the wallet and execute the same quote again before it expires, or request a fresh quote.
         */
        readonly PaymentWouldFail: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The service cannot quote this request. Repeating the same request gives the same result.
         *
         *     - `INVALID_REQUEST`: correct the fields listed in `details.fields`.
         *     - `UNSUPPORTED_TOKEN`: check the address with `/api/v1/tokens/resolve`.
         *     - `UNSUPPORTED_CHAIN`: choose a chain from `/api/v1/chains`.
         */
        readonly QuoteBadRequest: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Unexpected or venue-side error. Repeat the request after a pause, unless `details.retryable` is false. Report
         *     `meta.requestId` if the error happens again.
         *
         *     During an outage every venue that could serve the route fails, and no venue declines. Then `details.retryable` is true
         *     and `details.declines` has one entry per venue, as in a 404.
         */
        readonly QuoteInternal: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The rate limit of the caller is used up. Wait `Retry-After` seconds (`details.retryAfterSec`), then repeat the request. An
         *     API key raises the limit.
         */
        readonly RateLimited: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `INVALID_REQUEST`: send both `quoteToken` and `ref`, and no other parameter. `QUOTE_INVALID`: send the token from
         *     `/api/v1/quote` verbatim.
         */
        readonly StatusBadRequest: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The service forwarded nothing.
         *
         *     `INVALID_REQUEST`: correct the fields listed in `details.fields`.
         *
         *     - `quoteToken`: the venue of this quote does not use signatures. Follow the `executionType` that `/execute` returned instead.
         *     - `signature`: the sender's account has code (EIP-7702), and its `isValidSignature` rejects a signature of the sender's
         *       key. The contract of the order calls that function. Request a quote without that venue.
         *
         *     `QUOTE_INVALID`: send the token from `/api/v1/quote` verbatim.
         */
        readonly SubmitSignatureBadRequest: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The service sent nothing.
         *
         *     `INVALID_REQUEST`: `details.fields` names the field and the reason.
         *
         *     - `signedTransaction`: it is unsigned, differs from the transaction of `/api/v1/execute`, or no longer makes its
         *       payment.
         *     - `quoteToken`: it is not the token that `/api/v1/execute` returned with the transaction.
         *
         *     `details.txHash` is present if another signed transaction of the same quote has landed or may still land. Post that
         *     transaction again, and sign no other.
         *
         *     `QUOTE_INVALID`: the token is malformed or was altered.
         */
        readonly SubmitTransactionBadRequest: {
            headers: {
                readonly RateLimit: components["headers"]["OptionalRateLimit"];
                readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Solana rejected the transaction, or it can no longer land. Nothing was paid. Request a fresh transaction from
         *     `/api/v1/execute`, or a fresh quote after `expiresAt`.
         *
         *     `details.reason` is `blockhashExpired`, `insufficientFunds` or `failed`. `details.transactionError` is the error of the
         *     chain.
         */
        readonly TransactionRejected: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Solana is unreachable, and the transaction may already have been sent. Post the same `signedTransaction` again: the
         *     response is 200 if it landed. Sign no other transaction until a retry returns 200 or `ORDER_REJECTED`. `details.txHash`
         *     is the signature to search for.
         */
        readonly TransactionUncertain: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The `x-api-key` is unknown. Correct it or remove the header: this operation works without a key. The request counts against
         *     the limit of the caller's address.
         */
        readonly Unauthorized: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description The payment in the form of the official x402 clients: a signed payload of version 2, as JSON in base64. Without it the
         *     response is 402.
         * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
         */
        readonly PaymentSignature: string;
        /**
         * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
         *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
         * @example checkout-81c2e1
         */
        readonly RequestId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The rest of the limit: `r` requests until the reset in `t` seconds. Absent if the service did not identify the caller, and
         *     if caches may share the response.
         */
        readonly OptionalRateLimit: string;
        /** @description The limit of the caller: `q` requests in `w` seconds. Present together with `RateLimit`. */
        readonly OptionalRateLimitPolicy: string;
        /** @description Seconds to wait before the next request, the same as `details.retryAfterSec`. Absent if no wait is needed. */
        readonly OptionalRetryAfter: number;
        /** @description The accepted payments with amount, payee and network: `PaymentRequired` of x402 version 2, as JSON in base64. */
        readonly PaymentRequired: string;
        /** @description The settled payment with its transaction on the chain: `SettleResponse` of x402 version 2, as JSON in base64. */
        readonly PaymentResponse: string;
        /** @description The rest of the limit: `r` requests until the reset in `t` seconds. */
        readonly RateLimit: string;
        /** @description The limit of the caller: `q` requests in `w` seconds. */
        readonly RateLimitPolicy: string;
        /** @description Id of this request, the same as `meta.requestId`. Quote it when you report a problem. */
        readonly RequestId: components["schemas"]["RequestId"];
        /** @description Seconds to wait before the next request, the same as `details.retryAfterSec`. */
        readonly RetryAfter: number;
        /** @description Version label of the service, the same as `meta.version`. */
        readonly ServiceVersion: components["schemas"]["Version"];
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly chains: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Every supported chain. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChainsResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly execute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        readonly responses: {
            /**
             * @description The payload to complete:
             *
             *     - `TRANSACTION`: sign, broadcast, then poll `/api/v1/status` with the transaction hash as `ref`.
             *     - `TRANSACTION` with `submit`: sign without broadcasting, post to `submit.url`, then poll with `statusRef`.
             *     - `SIGNATURE`: sign `typedData` (and `approvalData`), then post to `submit.url`.
             *     - `DEPOSIT`: send exactly `deposit.amount` of `deposit.token` to `deposit.address`, then poll with `statusRef`.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExecuteResponse"];
                };
            };
            readonly 400: components["responses"]["ExecuteBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 410: components["responses"]["ExecuteExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["NotExecutable"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ExecuteInternal"];
            readonly 502: components["responses"]["PaymentWouldFail"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state of the service. While it is `degraded`, the healthy venues still quote. */
            readonly 200: {
                headers: {
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HealthResponse"];
                };
            };
        };
    };
    readonly readKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The current settings. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReadKeyResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        readonly responses: {
            /** @description The key. Store it now: it is shown only once. Change its settings with `PATCH /api/v1/keys`. */
            readonly 201: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreateKeyResponse"];
                };
            };
            /** @description Validation failed. Correct the fields listed in `details.fields`. No key was created. */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description The rate limit of the caller, or the limit of signups from this address, is used up. Wait `Retry-After` seconds
             *     (`details.retryAfterSec`), then repeat the request.
             */
            readonly 429: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly updateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateKeyRequest"];
            };
        };
        readonly responses: {
            /**
             * @description The settings after the change. If the request contains `payoutAddresses`, the response lists the latest address of every
             *     ecosystem. `GET /api/v1/keys` reports which of them are in effect. Only the first registration of a webhook returns
             *     `webhookSecret`. The secret stays the same for another URL.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdateKeyResponse"];
                };
            };
            /** @description Validation failed, or the body contains no setting. Correct the fields listed in `details.fields`. Nothing was changed. */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            /** @description An enterprise key does not have its own `feeBps` or `webhookUrl`. Nothing was changed. Remove the field. */
            readonly 404: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description The rate limit of the caller is used up, or 50 settings were changed in the last 24 hours. Nothing was changed. Wait
             *     `Retry-After` seconds (`details.retryAfterSec`), then repeat the request.
             *
             *     The second limit never blocks a return to the payout address that is in effect.
             */
            readonly 429: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly keyEvents: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The `id` of the last event that you have read, or `next` of the previous page. By default the list starts at its first
                 *     event.
                 * @example 17
                 */
                readonly after?: string;
                /**
                 * @description The maximum number of events. The default is 100.
                 * @example 50
                 */
                readonly limit?: number;
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The events after `after`. If the page is empty, request it again later with the same `next`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["KeyEventsResponse"];
                };
            };
            /** @description Correct the parameters listed in `details.fields`. */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly webhookTest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description The event and its delivery result. `delivery.state` is `answered` for any HTTP response of the target. Treat a 2xx
             *     `httpStatus` as success.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookTestResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            /** @description The key has no webhook. Register one with `PATCH /api/v1/keys`. Enterprise keys do not support webhooks. */
            readonly 404: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description The rate limit of the caller, or the limit of tests, is used up. `RateLimit` reports the limit of tests as
             *     `webhook-test`. Wait `Retry-After` seconds (`details.retryAfterSec`), then repeat the request.
             */
            readonly 429: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly quote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        readonly responses: {
            /** @description The best route. Execute it before `expiresAt`, or request a fresh quote. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            readonly 400: components["responses"]["QuoteBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NoLiquidity"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["QuoteInternal"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly status: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The token from `/api/v1/quote`, or the one that came with `submit`, verbatim.
                 * @example eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMSJ9..Jm8nZkqjW2rT5u0x.rV3pYb1sQ0c8mK4hD7tXwA2nLzE6fGiUoRjPqSvByNkCdMhTgFaWeIxOlZuJ5H9.4nE2bVxT8qWcYpLmRkJfZA
                 */
                readonly quoteToken: string;
                /**
                 * @description The reference of the swap, 1 to 512 characters:
                 *
                 *     - `DEPOSIT`: the deposit address, which is the `statusRef` from `/api/v1/execute`.
                 *     - `SIGNATURE`: the `statusRef` from `/api/v1/submit-signature`.
                 *     - `TRANSACTION`: the transaction hash.
                 *     - `TRANSACTION` with `submit`: the `statusRef` from `/api/v1/execute`, or the `txHash` from
                 *       `/api/v1/submit-transaction`.
                 *
                 *     For a sandbox quote, any text that fits into a URL.
                 * @example 0x3b1f0a9c7de2465581c4be20f97d63a8150ce4f2b8a97d361e05cf8421ba76d9
                 */
                readonly ref: string;
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description The state of the swap. Poll again unless it is `success`, `refunded` or `failed`. `unknown` with `tracking: unavailable`
             *     means that the venue has no live tracker yet. In that case, follow the transaction in a block explorer.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StatusResponse"];
                };
            };
            readonly 400: components["responses"]["StatusBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly submitSignature: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitSignatureRequest"];
            };
        };
        readonly responses: {
            /** @description The venue accepted the order. Poll `/api/v1/status` with `statusRef` as `ref`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitSignatureResponse"];
                };
            };
            readonly 400: components["responses"]["SubmitSignatureBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 410: components["responses"]["OrderExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly submitTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitTransactionRequest"];
            };
        };
        readonly responses: {
            /**
             * @description The transaction was sent, by this call or an earlier one. Poll `/api/v1/status` with the `statusRef` from
             *     `/api/v1/execute`.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitTransactionResponse"];
                };
            };
            readonly 400: components["responses"]["SubmitTransactionBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["TransactionRejected"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 502: components["responses"]["TransactionUncertain"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly btcCoverage: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The chain of the tokens.
                 * @example 1
                 */
                readonly chainId: components["schemas"]["ChainId"];
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description The tokens that at least one venue lists. If `filtered` is false, no list was available: treat the coverage as unknown,
             *     not as zero.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BtcCoverageResponse"];
                };
            };
            /**
             * @description - `INVALID_REQUEST`: correct the parameters listed in `details.fields`.
             *     - `UNSUPPORTED_CHAIN`: choose a chain from `/api/v1/chains`.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly resolveToken: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Contract address, mint, or the native sentinel.
                 * @example 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48
                 */
                readonly address: string;
                /**
                 * @description The chain of the token.
                 * @example 1
                 */
                readonly chainId: components["schemas"]["ChainId"];
            };
            readonly header?: {
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The token. Pass its `chainId` and `address` to `/api/v1/quote`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResolveTokenResponse"];
                };
            };
            /**
             * @description - `UNSUPPORTED_TOKEN`: the address is not a token on that chain. Check both.
             *     - `INVALID_REQUEST`: correct the parameters listed in `details.fields`.
             *     - `UNSUPPORTED_CHAIN`: choose a chain from `/api/v1/chains`.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly x402Execute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment in the form of the official x402 clients: a signed payload of version 2, as JSON in base64. Without it the
                 *     response is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        readonly responses: {
            /** @description The payload to complete, as in `/api/v1/execute`. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExecuteResponse"];
                };
            };
            readonly 400: components["responses"]["ExecuteBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 410: components["responses"]["ExecuteExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["NotExecutable"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ExecuteInternal"];
            readonly 502: components["responses"]["PaymentWouldFail"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402Quote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment in the form of the official x402 clients: a signed payload of version 2, as JSON in base64. Without it the
                 *     response is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        readonly responses: {
            /** @description The best route. Execute it before `expiresAt`, or request a fresh quote. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            readonly 400: components["responses"]["QuoteBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 404: components["responses"]["NoLiquidity"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["QuoteInternal"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402Status: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The token from `/api/v1/quote`, or the one that came with `submit`, verbatim.
                 * @example eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMSJ9..Jm8nZkqjW2rT5u0x.rV3pYb1sQ0c8mK4hD7tXwA2nLzE6fGiUoRjPqSvByNkCdMhTgFaWeIxOlZuJ5H9.4nE2bVxT8qWcYpLmRkJfZA
                 */
                readonly quoteToken: string;
                /**
                 * @description The reference of the swap, 1 to 512 characters:
                 *
                 *     - `DEPOSIT`: the deposit address, which is the `statusRef` from `/api/v1/execute`.
                 *     - `SIGNATURE`: the `statusRef` from `/api/v1/submit-signature`.
                 *     - `TRANSACTION`: the transaction hash.
                 *     - `TRANSACTION` with `submit`: the `statusRef` from `/api/v1/execute`, or the `txHash` from
                 *       `/api/v1/submit-transaction`.
                 *
                 *     For a sandbox quote, any text that fits into a URL.
                 * @example 0x3b1f0a9c7de2465581c4be20f97d63a8150ce4f2b8a97d361e05cf8421ba76d9
                 */
                readonly ref: string;
            };
            readonly header?: {
                /**
                 * @description The payment in the form of the official x402 clients: a signed payload of version 2, as JSON in base64. Without it the
                 *     response is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state of the swap, as in `/api/v1/status`. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StatusResponse"];
                };
            };
            readonly 400: components["responses"]["StatusBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402SubmitSignature: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment in the form of the official x402 clients: a signed payload of version 2, as JSON in base64. Without it the
                 *     response is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitSignatureRequest"];
            };
        };
        readonly responses: {
            /** @description The venue accepted the order. Poll `/api/v1/status` with `statusRef` as `ref`. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitSignatureResponse"];
                };
            };
            readonly 400: components["responses"]["SubmitSignatureBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 410: components["responses"]["OrderExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402SubmitTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment in the form of the official x402 clients: a signed payload of version 2, as JSON in base64. Without it the
                 *     response is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description Your own id for this request: 1 to 64 letters, digits, dots, underscores and hyphens. The response returns it in the header
                 *     of the same name and in `meta.requestId`. The service replaces any other value by an id of its own.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitTransactionRequest"];
            };
        };
        readonly responses: {
            /** @description The transaction was sent, by this call or an earlier one. Poll `/api/v1/status` with the `statusRef` from `/api/v1/execute`. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["OptionalRateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["OptionalRateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitTransactionResponse"];
                };
            };
            readonly 400: components["responses"]["SubmitTransactionBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 422: components["responses"]["TransactionRejected"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 502: components["responses"]["TransactionUncertain"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
}
