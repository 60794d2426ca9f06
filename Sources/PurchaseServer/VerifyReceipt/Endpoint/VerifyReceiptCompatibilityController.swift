import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import Wire
import WireServer

/// The endpoints that answer like the App Store's `verifyReceipt`, for backends that change only the URL.
///
/// The HTTP status is 200 and the `status` member of the body states errors, unless the caller sends too many requests. The path
/// `/verifyReceipt` answers for the environment of the server, and the path `/sandbox/verifyReceipt` for the sandbox. The App Store has a
/// host for each environment instead of a path.
struct VerifyReceiptCompatibilityController: Sendable {
    /// The differences from the App Store's answers, for the operator.
    struct DifferencesReply: Codable, Hashable, Sendable {
        /// The numbers of answers since the start of the server, by the outcome of the comparison.
        var counts: VerifyReceiptShadow.Counts
        /// The comparisons with differences, newest first.
        var comparisons: [VerifyReceiptComparison]
    }

    static let differences = Endpoint<Empty, DifferencesReply>(.get, "/v1/verify-receipt/differences")
    static let paths = ["/verifyReceipt", "/sandbox/verifyReceipt"]

    private let apps: Apps
    private let server: PurchaseServerConfiguration
    private let revocation: Revocation
    private let clock: any WallClock
    private let limits: LimitLog
    /// The rate limit for backends, whose requests contain an app's shared secret.
    private let backends: TokenBucketLimiter<SharedSecretOwner>
    /// The rate limit for requests without the shared secret, by the client's address.
    private let clients: TokenBucketLimiter<String>

    /// The app whose shared secret a request contains.
    private struct SharedSecretOwner: Hashable, Sendable {
        let app: BundleID
    }

    init(apps: Apps, server: PurchaseServerConfiguration, revocation: Revocation, clock: any WallClock, limits: LimitLog) {
        self.apps = apps
        self.server = server
        self.revocation = revocation
        self.clock = clock
        self.limits = limits
        backends = TokenBucketLimiter(server.requestRates.backend)
        clients = TokenBucketLimiter(server.requestRates.installation)
    }

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        for (path, environment) in zip(Self.paths, [server.environment, .sandbox]) {
            router.get(RouterPath(path)) { _, _ in Response(.ok, VerifyReceiptResponse(status: .notPost)) }
            router.post(RouterPath(path)) { request, context in try await respond(to: request, in: environment, context) }
        }
    }

    func addKeyedRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Self.differences) { _, _, context in
            let app = try context.caller(.administer).app
            let comparisons = try await app.storage.read(app.id) {
                try $0.verifyReceiptComparisons(limit: VerifyReceiptComparison.limit)
            }
            return DifferencesReply(counts: app.verifyReceipt.shadow.counts, comparisons: comparisons)
        }
    }

    private func respond(to request: Request, in environment: AppEnvironment, _ context: ServerContext) async throws -> Response {
        let body: Data
        do {
            body = Data(buffer: try await request.wholeBody(upTo: ReceiptVerificationRequest.bodyLimit))
        } catch BodyRefusal.memoryExhausted {
            return Self.response(try VerifyReceiptService.Answer(.unavailable).body)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Respond with status 21002 to a body that is too large or incomplete, like to a body without a receipt. Apple documents status
            // 21000
            // for requests with a method other than POST.
            return Self.response(try VerifyReceiptService.Answer(.malformed).body)
        }
        let parsed = ReceiptVerificationRequest(json: body)
        if let seconds = count(request, password: parsed?.body.password, context) {
            let refusal = CallerRefusal.tooManyRequests(seconds: seconds)
            limits.report(
                "request-rates of verifyReceipt", peer: server.trustedProxies.clientAddress(peer: context.peer, request.headers),
                reason: refusal.wireError.code)
            throw refusal
        }
        guard let parsed else { return Self.response(try VerifyReceiptService.Answer(.malformed).body) }
        let (answer, app) = await answer(parsed, in: environment, context.logger)
        guard let answer else { return Response(.ok, VerifyReceiptResponse(status: .internalError)) }
        guard let app else { return Self.response(answer.body) }
        return Self.response(
            await app.verifyReceipt.shadow.completed(
                answer, to: body, of: parsed, in: environment, confirmation: app.verifiers.receipts.confirmation)
        )
    }

    /// Counts a request; returns the number of seconds to wait if the caller has sent too many requests.
    private func count(_ request: Request, password: String?, _ context: ServerContext) -> Int? {
        if let secret = SharedSecret(password), let owner = apps.all.first(where: { $0.verifyReceipt.secret == secret }) {
            return backends.count(SharedSecretOwner(app: owner.id), at: clock.now)
        }
        return clients.count(server.trustedProxies.clientName(peer: context.peer, request.headers), at: clock.now)
    }

    /// Returns the server's answer, and the app of the receipt; the app is nil if the receipt belongs to no app of the server.
    private func answer(
        _ request: ReceiptVerificationRequest, in environment: AppEnvironment, _ logger: Logger
    ) async -> (VerifyReceiptService.Answer?, AppServices?) {
        var app = apps.all.count == 1 ? apps.all.first : nil
        do {
            if request.isTransactionReceipt {
                let id: BundleID
                do throws(Refusal) {
                    id = try UnverifiedTransactionReceipt(request.receipt).payload.bundleID
                } catch { return (try VerifyReceiptService.Answer(.malformed), app) }
                guard let owner = apps[id] else { return (try VerifyReceiptService.Answer(.notAuthenticated), app) }
                app = owner
                let verifier = TransactionReceiptVerifier(roots: server.roots, bundleID: id, environments: [environment])
                return (try await owner.verifyReceipt.answer(try verifier.verify(request.receipt), request.body, in: environment), owner)
            }
            let verifier = ReceiptVerifier(roots: server.roots, revocation: revocation, EnvironmentCheck([environment]))
            let receipt: VerifiedReceipt
            do throws(VerificationFailure) {
                receipt = try await verifier.verify(request.receipt)
            } catch {
                let unverified = try? UnverifiedReceipt(request.receipt).payload
                app = unverified.flatMap { apps[$0.bundleID] } ?? app
                throw unverified.map { error.knowing(environment: $0.environment) } ?? error
            }
            guard let owner = apps[receipt.payload.bundleID] else {
                return (try VerifyReceiptService.Answer(.notAuthenticated), app)
            }
            app = owner
            return (try await owner.verifyReceipt.answer(receipt, request.body), owner)
        } catch let failure as VerificationFailure {
            // Map the failure to its status, such as 21007 or 21008 for a receipt of another environment.
            return (try? VerifyReceiptService.Answer(VerifyReceiptStatus(failure)), app)
        } catch {
            if let message = (error as? StorageError)?.operatorMessage { logger.error("\(message)", metadata: ["path": "/verifyReceipt"]) }
            logger.error("a verifyReceipt request failed", metadata: ["error": "\(type(of: error))"])
            return (try? VerifyReceiptService.Answer(.internalError), app)
        }
    }

    private static func response(_ body: Data) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: body)))
    }
}

extension VerificationFailure {
    /// Returns a refusal of the environment for a receipt of Xcode, which Apple refuses as malformed, regardless of the receipt's
    /// signature; returns any other failure unchanged.
    fileprivate func knowing(environment: AppEnvironment) -> VerificationFailure {
        guard case .refused(let refusal) = self, environment != .production, environment != .sandbox else { return self }
        return .refused(Refusal(.foreignEnvironment(environment.rawValue), at: refusal.place))
    }
}
