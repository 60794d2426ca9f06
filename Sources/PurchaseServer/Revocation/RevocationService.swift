import PurchaseProof
import ServiceLifecycle

/// A service that refreshes cached revocation statuses in the background.
struct RevocationService: Service {
    let checker: RevocationChecker

    func run() async throws {
        await cancelWhenGracefulShutdown { await checker.run() }
    }
}
