import Foundation
import Synchronization
import Testing

@testable import PurchaseKit

/// The exchange of a session, whose bytes wait for their reader.
@Suite struct SessionExchangeTests {
    /// A task that records its calls.
    private final class RecordingTask: SessionTask {
        let taskIdentifier = 1
        private let recorded = Mutex<[String]>([])

        var calls: [String] { recorded.withLock { $0 } }

        func resume() { recorded.withLock { $0.append("resume") } }
        func suspend() { recorded.withLock { $0.append("suspend") } }
        func cancel() { recorded.withLock { $0.append("cancel") } }
    }

    private let task = RecordingTask()

    @Test func `bytes that arrived before a connection broke are read before its error`() async throws {
        let exchange = SessionExchange(task)
        exchange.receive(Data("a".utf8))
        exchange.receive(Data("b".utf8))
        exchange.end(URLError(.networkConnectionLost))
        exchange.receive(Data("c".utf8))
        #expect(try await exchange.next() == Data("ab".utf8))
        await #expect(throws: URLError.self) { try await exchange.next() }
    }

    @Test func `a complete body ends`() async throws {
        let exchange = SessionExchange(task)
        exchange.receive(Data("a".utf8))
        exchange.end(nil)
        #expect(try await exchange.next() == Data("a".utf8))
        #expect(try await exchange.next() == nil)
        #expect(try await exchange.next() == nil)
    }

    @Test func `a canceled exchange has no bytes, and cancels its task`() async throws {
        let exchange = SessionExchange(task)
        exchange.receive(Data("a".utf8))
        exchange.cancel()
        await #expect(throws: CancellationError.self) { try await exchange.next() }
        await #expect(throws: CancellationError.self) { try await exchange.start() }
        #expect(task.calls == ["cancel"])
    }

    @Test func `a canceled body whose last bytes are unread is not complete`() async throws {
        let exchange = SessionExchange(task)
        exchange.receive(Data("a".utf8))
        exchange.end(nil)
        exchange.cancel()
        await #expect(throws: CancellationError.self) { try await exchange.next() }
    }

    @Test func `a body that was read to its end stays complete`() async throws {
        let exchange = SessionExchange(task)
        exchange.end(nil)
        exchange.cancel()
        #expect(try await exchange.next() == nil)
    }

    @Test func `an exchange stops while its reader is slower than the network`() async throws {
        let exchange = SessionExchange(task, unreadLimit: 4)
        exchange.receive(Data("abc".utf8))
        #expect(task.calls.isEmpty)
        exchange.receive(Data("d".utf8))
        // Bytes that were under way still arrive.
        exchange.receive(Data("ef".utf8))
        #expect(task.calls == ["suspend"])
        #expect(try await exchange.next() == Data("abcdef".utf8))
        #expect(task.calls == ["suspend", "resume"])
        exchange.receive(Data("ghijk".utf8))
        #expect(task.calls == ["suspend", "resume", "suspend"])
    }

    @Test func `an exchange without a limit is never suspended`() async throws {
        let exchange = SessionExchange(task, unreadLimit: nil)
        exchange.receive(Data(count: 1 << 24))
        #expect(try await exchange.next()?.count == 1 << 24)
        #expect(task.calls.isEmpty)
    }
}
