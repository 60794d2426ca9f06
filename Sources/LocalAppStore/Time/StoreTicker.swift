import Logging
import PurchaseModel
import ServiceLifecycle

/// Lets time have its effect while nobody asks: once a second it renews what is due and sends what is to be sent.
///
/// Once a second by the machine's time, whatever the stores' say, because a store's time can jump.
struct StoreTicker: Service {
    let stores: @Sendable () -> [LocalAppStore]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                for store in stores() {
                    guard await tick(store) else { return }
                }
                // Cancelled in its sleep, it is done.
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            }
        }
    }

    private func tick(_ store: LocalAppStore) async -> Bool {
        do {
            try await store.ledger.catchUp()
            try await store.notifier.deliver()
        } catch is CancellationError {
            return false
        } catch {
            logger.error("the store's background work failed and will be tried again", metadata: ["error": "\(type(of: error))"])
        }
        return true
    }
}
