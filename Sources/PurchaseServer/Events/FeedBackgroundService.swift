import Logging
import PurchaseModel
import ServiceLifecycle

/// Gives positions to events, inserts the events that time causes, compares customers with their events, and removes old events, for all
/// apps.
struct FeedBackgroundService: Service {
    /// The pause between two searches for changes that time causes, and for events that other servers have committed.
    private static let pause = Duration.seconds(1)
    /// The pause between two searches for a changed catalog.
    private static let comparisonPause = Duration.seconds(30)
    /// The pause between two removals of old events.
    private static let removalPause = Duration.seconds(3_600)

    let feeds: [FeedService]
    let timer: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for feed in feeds {
                    group.addTask { await publish(feed) }
                    group.addTask { await repeating(Self.pause, "changes by time not recorded", of: feed) { try await feed.advance() } }
                    group.addTask {
                        await repeating(Self.pause, "members of large teams not compared with their events", of: feed) {
                            try await feed.comparison.compareTeams()
                        }
                    }
                    group.addTask {
                        await repeating(Self.comparisonPause, "customers not compared with their events", of: feed) {
                            try await feed.comparison.compareAfterChange()
                        }
                    }
                    group.addTask {
                        await repeating(Self.removalPause, "old events not removed", of: feed) { try await feed.removeExpired() }
                    }
                }
            }
        }
    }

    private func publish(_ feed: FeedService) async {
        while !Task.isCancelled {
            await reporting("events have no positions yet", of: feed) { try await feed.publish() }
            // End the pause early after a commit of this server.
            await feed.signal.publisher.wait(for: Self.pause, on: timer)
        }
    }

    private func repeating(
        _ pause: Duration, _ failure: Logger.Message, of feed: FeedService, _ body: () async throws -> Void
    ) async {
        while !Task.isCancelled {
            await reporting(failure, of: feed, body)
            do { try await timer.sleep(for: pause) } catch { return }
        }
    }

    private func reporting(_ failure: Logger.Message, of feed: FeedService, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            if !Task.isCancelled { logger.warning(failure, metadata: ["app": "\(feed.app)", "error": "\(error)"]) }
        }
    }
}
