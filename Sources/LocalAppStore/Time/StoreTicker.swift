import Logging
import PurchaseModel
import ServiceLifecycle

/// Lets time have its effect while nobody asks: once a second it renews what is due and sends what is to be sent.
///
/// Once a second by the machine's time, whatever the store's says, because the store's time can jump.
struct StoreTicker: Service {
    let ledger: StoreLedger
    let notifier: Notifier
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await ledger.catchUp()
                    try await notifier.deliver()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("the store's background work failed and will be tried again", metadata: ["error": "\(type(of: error))"])
                }
                // Cancelled in its sleep, it is done.
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            }
        }
    }
}
