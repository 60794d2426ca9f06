import CoreMetrics
import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer

/// Tests of the metrics of the server.
@Suite struct MetricsTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    private static let token = "0123456789abcdef"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the lines of `/metrics` that begin with a text.
    private static func metrics(of shop: Shop, _ prefix: String) async throws -> [String] {
        let answer = try await shop.get("/metrics", [.authorization: "Bearer \(token)"])
        #expect(answer.status == .ok)
        return String(decoding: answer.body, as: UTF8.self).split(separator: "\n").map { String($0) }.filter { $0.hasPrefix(prefix) }
    }

    private static func open(_ body: @Sendable @escaping (Shop) async throws -> Void) async throws {
        try await Shop.open(metricsToken: token, body)
    }

    // MARK: Registry

    @Test func `a registry writes counters, gauges and histograms in the text format of Prometheus`() {
        let definitions = [
            MetricDefinition(.counter, "requests_total", ["route", "method"], "Requests."), MetricDefinition(.gauge, "open", [], "Open."),
            MetricDefinition(.histogram, "seconds", ["route"], "Durations."), MetricDefinition(.counter, "unused_total", [], "None."),
        ]
        let registry = MetricsRegistry(definitions)
        Counter(label: "requests_total", dimensions: [("method", "GET"), ("route", "/a\"\\\n")], factory: registry).increment(by: 3)
        Counter(label: "requests_total", dimensions: [("route", "/b"), ("method", "GET")], factory: registry).increment()
        Meter(label: "open", factory: registry).set(2.5)
        Counter(label: "unknown", factory: registry).increment()
        let timer = Timer(label: "seconds", dimensions: [("route", "/a")], factory: registry)
        for nanoseconds in [500_000, 1_000_000, 3_000_000, 60_000_000_000] { timer.recordNanoseconds(Int64(nanoseconds)) }
        let lines = registry.text().split(separator: "\n").map { String($0) }
        #expect(
            lines.prefix(6) == [
                "# HELP requests_total Requests.", "# TYPE requests_total counter",
                #"requests_total{method="GET",route="/a\"\\\n"} 3"#, #"requests_total{method="GET",route="/b"} 1"#, "# HELP open Open.",
                "# TYPE open gauge",
            ])
        #expect(lines.contains("open 2.5") && !registry.text().contains("unused") && !registry.text().contains("unknown"))
        #expect(lines.contains(#"seconds_bucket{route="/a",le="0.001"} 2"#) && lines.contains(#"seconds_bucket{route="/a",le="10"} 3"#))
        #expect(lines.contains(#"seconds_bucket{route="/a",le="+Inf"} 4"#) && lines.contains(#"seconds_count{route="/a"} 4"#))
        #expect(lines.contains(#"seconds_sum{route="/a"} 60.0045"#))
    }

    @Test func `labels from requests cannot fill the memory`() {
        let definition = MetricDefinition(.counter, "requests_total", ["route"], "Requests.")
        let registry = MetricsRegistry([definition])
        for number in 0..<MetricsRegistry.seriesLimit + 50 {
            Counter(label: "requests_total", dimensions: [("route", "/\(number)")], factory: registry).increment()
        }
        let lines = registry.text().split(separator: "\n")
        #expect(lines.count == MetricsRegistry.seriesLimit + 3 && lines.contains(#"requests_total{route="other"} 50"#))
    }

    // MARK: Server

    @Test func `the server counts notifications by their outcome`() async throws {
        try await Self.open { shop async throws in
            let payload = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE")
            for _ in 0..<2 { #expect(try await shop.notify(payload).status == .ok) }
            _ = try await shop.post("/v1/notifications", Data(#"{"signedPayload":"a.b.c"}"#.utf8))
            let lines = try await Self.metrics(of: shop, "tillroll_notifications_total{")
            let expected = [("duplicate", 1), ("failed", 0), ("not_understood", 0), ("recorded", 1), ("refused", 1)]
            #expect(
                lines == expected.map { #"tillroll_notifications_total{app="\#(BundleID.test)",outcome="\#($0)"} \#($1)"# })
            #expect(try await Self.metrics(of: shop, "tillroll_notification_timestamp_seconds{").count == 1)
        }
    }

    @Test func `requests are counted by their route, so that a path is no label`() async throws {
        try await Self.open { shop async throws in
            for path in ["/health", "/no-such-path", "/another", "/v1/customer/entitlements/secret-name"] { _ = try await shop.get(path) }
            let lines = try await Self.metrics(of: shop, "tillroll_http_requests_total{")
            #expect(lines.contains(#"tillroll_http_requests_total{method="GET",route="/health",status="200"} 1"#))
            #expect(lines.contains(#"tillroll_http_requests_total{method="GET",route="unmatched",status="404"} 2"#), "\(lines)")
            #expect(!lines.joined().contains("secret-name"))
        }
    }

    @Test func `proofs are counted by their result`() async throws {
        try await Self.open { shop async throws in
            _ = try await shop.record(.bookSale)
            let lines = try await Self.metrics(of: shop, "tillroll_proof_verifications_total{")
            #expect(lines == [#"tillroll_proof_verifications_total{app="\#(BundleID.test)",proof="transaction",result="verified"} 1"#])
            #expect(try await !Self.metrics(of: shop, "tillroll_storage_duration_seconds_count{operation=\"write\"}").isEmpty)
        }
    }

    @Test func `a server that received nothing states the date of its start, and no open request remains`() async throws {
        try await Self.open { shop async throws in
            let now = shop.clock.now.milliseconds / 1_000
            let lines = try await Self.metrics(of: shop, "tillroll_notification_timestamp_seconds{")
            #expect(lines == [#"tillroll_notification_timestamp_seconds{app="\#(BundleID.test)"} \#(now)"#])
            // The request of the metrics itself is open.
            #expect(try await Self.metrics(of: shop, "tillroll_http_requests_in_progress") == ["tillroll_http_requests_in_progress 1"])
            #expect(try await shop.get("/metrics", [.authorization: "Bearer \(Self.token)"], method: .head).status == .ok)
        }
    }

    @Test(arguments: ["0123456789abcde", "0123456789abcde ", "0123456789abcdeä", "0123456789abcde\n"])
    func `a token is at least 16 visible ASCII characters`(_ token: String) async throws {
        await #expect(throws: ConfigurationError.metricsToken) { try await Shop.open(metricsToken: token) { _ in } }
    }

    @Test(arguments: ["", "Bearer ", "Bearer wrong", "0123456789abcdef", "Bearer 0123456789abcdeg"])
    func `another token receives 401 and no metrics`(_ authorization: String) async throws {
        try await Self.open { shop async throws in
            let answer = try await shop.get("/metrics", authorization.isEmpty ? [:] : [.authorization: authorization])
            #expect(answer.status == .unauthorized && answer.code == "metrics.unauthorized")
        }
    }

    @Test func `a server without a token has no metrics on its address`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.get("/metrics").status == .notFound)
        }
    }

    // MARK: Documentation

    @Test func `the page lists every metric with its type, its labels and its meaning`() throws {
        let page = try Self.text("docs/operations.md")
        for metric in MetricDefinition.all {
            let labels = metric.labels.isEmpty ? "–" : metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            #expect(page.contains("| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help) |\n"), "\(metric.name)")
        }
        #expect(page.matches(of: /\n\| `(tillroll|process)_/).count == MetricDefinition.all.count)
    }

    @Test(arguments: ["packaging/monitoring/alerts.yaml", "packaging/monitoring/dashboard.json", "docs/operations.md"])
    func `rules and dashboard name metrics that exist`(_ file: String) throws {
        let known = Set(MetricDefinition.all.flatMap { [$0.name, "\($0.name)_bucket", "\($0.name)_count", "\($0.name)_sum"] })
        for match in try Self.text(file).matches(of: /\b(tillroll_[a-z_]+|process_[a-z_]+)\b/) {
            #expect(known.contains(String(match.1)), "\(match.1)")
        }
    }

    @Test func `the page explains every alert`() throws {
        let page = try Self.text("docs/operations.md")
        let alerts = try Self.text("packaging/monitoring/alerts.yaml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count == 11 && alerts.allSatisfy { page.contains("| `\($0)` |") })
    }
}
