import PurchaseProof
import ServiceLifecycle

/// Keeps what is known about revoked certificates fresh, off the path of requests, for as long as the process lives.
struct RevocationService: Service {
    let checker: RevocationChecker

    func run() async throws {
        await cancelWhenGracefulShutdown { await checker.run() }
    }
}
