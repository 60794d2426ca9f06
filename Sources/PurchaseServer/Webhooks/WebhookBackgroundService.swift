import Logging
import ServiceLifecycle

/// Creates and sends the deliveries to the webhook endpoints of all apps.
struct WebhookBackgroundService: Service {
    /// The pause between two removals of dead letters.
    private static let removalPause = Duration.seconds(3_600)

    let senders: [(sender: WebhookSender, feed: FeedService)]
    let timer: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for (sender, feed) in senders {
                    group.addTask { await run(sender, feed) }
                    group.addTask { await removeExpired(sender) }
                }
            }
        }
    }

    /// Searches for work after each event of the feed, and each second.
    private func run(_ sender: WebhookSender, _ feed: FeedService) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let count = feed.signal.count
                let work = await reporting("webhooks not sent", of: sender) { try await sender.work() } ?? []
                var hasMore = false
                for work in work {
                    if work.hasEvents {
                        let rest = await reporting("deliveries not created", of: sender) { try await sender.enqueue(to: work.endpoint) }
                        hasMore = hasMore || rest ?? false
                    }
                    guard work.hasEvents || work.isDue else { continue }
                    group.addTask { await reporting("webhooks not sent", of: sender) { try await sender.send(to: work.endpoint) } }
                }
                if !hasMore { _ = await feed.wait(after: count, for: FeedService.pollPause) }
            }
        }
    }

    private func removeExpired(_ sender: WebhookSender) async {
        while !Task.isCancelled {
            await reporting("dead letters not removed", of: sender) { try await sender.removeExpired() }
            do { try await timer.sleep(for: Self.removalPause) } catch { return }
        }
    }

    @discardableResult
    private func reporting<Value>(
        _ failure: Logger.Message, of sender: WebhookSender, _ body: () async throws -> Value
    ) async -> Value? {
        do {
            return try await body()
        } catch {
            if !Task.isCancelled { logger.warning(failure, metadata: ["app": "\(sender.app)", "error": "\(error)"]) }
            return nil
        }
    }
}
