import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The events of random histories add up to the server's answers at each moment.
@Suite struct FeedHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? 0
    private static let rounds = environment["TILLROLL_SOAK"].flatMap { UInt64($0) } ?? 20

    @Test func `the events of a customer add up to the customer's entitlements and balances at each moment`() async throws {
        var types: [String: Int] = [:]
        for seed in Self.first..<(Self.first + Self.rounds) {
            let found = try await Self.play(seed: seed)
            types.merge(found, uniquingKeysWith: +)
        }
        print(
            "events of \(Self.rounds) histories:", types.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }

    private static func play(seed: UInt64) async throws -> [String: Int] {
        let history = try await StoreHistory.play(seed: seed)
        var random = SeededRandom(seed: seed)
        return try await TemporaryFolder.with { folder in
            var app = AppConfiguration(
                bundleID: .test, products: HistoryCatalog.serverProducts, content: .folder(folder.url.path()), receiptConfirmation: .off)
            app.refundPolicy = RefundPolicy.allCases[Int(seed % UInt64(RefundPolicy.allCases.count))]
            var configuration = PurchaseServerConfiguration(
                apps: [app], environment: .sandbox, roots: history.roots, database: try await ShopDatabase.make())
            configuration.secretKeyFile = folder.file("server.key").path()
            let clock = ManualClock(history.dates.first ?? history.end)
            let server = try await PurchaseServer(configuration: configuration, clock: clock, logger: .silent)
            let services = try #require(server.apps[.test])
            var checker = FeedChecker(services: services, customers: history.expected.balances.keys.sorted())
            let shuffled = history.arrivals(&random).messages
            let isOrdered = seed.isMultiple(of: 2)
            for (index, message) in (isOrdered ? history.messages : shuffled).enumerated() {
                let date = history.dates[min(index, history.dates.count - 1)]
                try await checker.advance(clock, to: date, &random)
                try await HistoryServer.deliver(message, to: services)
                try await checker.check("\(clock.now) message \(index)\n\(history.transcript)")
            }
            try await checker.advance(clock, to: history.end.adding(days: 400), &random)
            try await checker.check("the end\n\(history.transcript)")
            // Repeated messages change nothing, and emit nothing.
            let count = checker.events.count
            for message in history.messages + (isOrdered ? [] : shuffled) { try await HistoryServer.deliver(message, to: services) }
            try await checker.check("repeated\n\(history.transcript)")
            let added = checker.events.dropFirst(count)
            #expect(!isOrdered || added.isEmpty, "\(added.map(\.type))\n\(history.transcript)")
            try await services.feed.comparison.compareAll(.rebuild)
            try await checker.check("compared\n\(history.transcript)")
            #expect(!checker.events.contains { $0.cause == .rebuild }, "\(history.transcript)")
            try FeedSchemas.shared.get().validate(checker.events)
            return Dictionary(grouping: checker.events, by: \.type.rawValue).mapValues(\.count)
        }
    }
}

/// A reader of the feed that compares the events with the server's answers.
struct FeedChecker {
    let services: AppServices
    let customers: [CustomerID]
    private(set) var events: [FeedEvent] = []
    private var fold = FeedFold()
    private var cursor = FeedCursor.start

    init(services: AppServices, customers: [CustomerID]) {
        self.services = services
        self.customers = customers
    }

    /// Advances the clock to a date, with checks at random moments before.
    mutating func advance(_ clock: ManualClock, to date: Timestamp, _ random: inout SeededRandom) async throws {
        let span = date.milliseconds(since: clock.now)
        guard span > 0 else { return }
        let stops = (0..<2).map { _ in clock.now.adding(milliseconds: Int64.random(in: 0...span, using: &random)) }.sorted()
        for stop in stops + [date] {
            clock.set(stop)
            try await services.feed.advance()
            try await check("\(stop) before \(date)")
        }
    }

    /// Reads the new events, and compares the sum of all events with the server's answers.
    mutating func check(_ place: @autoclosure () -> String) async throws {
        try await services.feed.publish()
        while true {
            let page = try await services.feed.entries(after: cursor, limit: 50)
            if page.entries.isEmpty { break }
            for entry in page.entries {
                let event = try entry.event()
                fold.apply(event)
                events.append(event)
            }
            cursor = page.next
        }
        for customer in customers {
            let answer = try await services.entitlements.list(of: .id(customer), at: nil, withEvidence: false).entitlements
            #expect(fold.answers[customer] ?? [] == answer.map { FeedState.Entitlement($0) }, "\(customer) \(place())")
            let balance = try await services.storage.read(services.id) { try $0.balance(of: customer, in: .credits).amount }
            #expect(fold.balances[customer]?[.credits] ?? 0 == balance, "\(customer) \(place())")
        }
    }
}
