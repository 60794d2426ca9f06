import Logging
import PurchaseModel
import ServiceLifecycle

/// The service that processes due events and sends due notifications of stores, even if no requests arrive.
///
/// Once a second it processes the stores that have work according to the ``StoreWorkQueue``; it does not access the other stores. The interval
/// is measured by the machine's clock and not by the stores' clocks, because a store's time can jump.
struct StoreTicker: Service {
    let work: StoreWorkQueue
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A store that waits for an unresponsive developer's server does not delay the other stores.
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for store in work.begin() {
                        group.addTask { await process(store) }
                    }
                    // Cancellation during the sleep ends the service.
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { break }
                }
                group.cancelAll()
            }
        }
    }

    /// Processes the work of a store, and determines the date of its next work.
    func process(_ store: LocalAppStore) async {
        do {
            var isBehind = false
            // A store with too many due events continues in the next second; the other stores are processed in between.
            do { try await store.storeServices.dueEvents.catchUp() } catch StoreError.behind { isBehind = true }
            try await store.storeServices.sender.deliver()
            guard !isBehind else { return work.retry(store) }
            // The next date covers the commits of this turn, so they cause no further turn.
            work.settle(store)
            work.end(store, next: try await store.storeServices.dueEvents.nextWorkDate())
        } catch is CancellationError {
            work.retry(store)
        } catch {
            work.retry(store)
            logger.error(
                "processing due events or sending notifications failed; the store tries again in one second",
                metadata: ["error": "\(type(of: error))"])
        }
    }
}
