import CoreMetrics
import Synchronization

/// The values of a server's metrics, and their text in the exposition format of Prometheus, version 0.0.4.
///
/// Every value is in memory, so that a scrape needs no database. The number of series is limited, because labels come from requests.
final class MetricsRegistry: Sendable {
    /// The upper bounds of the buckets of durations, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// The maximum number of series of one metric; further ones are counted with the label values `other`.
    static let seriesLimit = 1_000

    /// The value of one series.
    fileprivate struct Series {
        var value = 0.0
        /// The number of measurements in each bucket; empty unless the metric is a histogram.
        var buckets: [UInt64] = []
        var count: UInt64 = 0
    }

    /// A metric with its series by their label values, in the order of the labels' names.
    private struct Family {
        let definition: MetricDefinition
        var series: [[String]: Series] = [:]
    }

    private let families: Mutex<[Family]>
    private let positions: [String: Int]  // reason: the values are ASCII texts of the server

    init(_ definitions: [MetricDefinition] = MetricDefinition.all) {
        positions = Dictionary(definitions.enumerated().map { ($1.name, $0) }) { first, _ in first }
        families = Mutex(definitions.map { Family(definition: $0) })
    }

    /// Replaces all series of a metric by series with the value 1, such as the warnings that apply now.
    func replace(_ definition: MetricDefinition, with labels: [[String: String]]) {
        guard let position = positions[definition.name] else { return }
        let series = labels.map { labels in (definition.labels.map { labels[$0] ?? "" }, Series(value: 1)) }
        families.withLock { $0[position].series = Dictionary(series) { first, _ in first } }
    }

    /// Sets the value of a metric that is measured elsewhere, such as by the kernel.
    func set(_ definition: MetricDefinition, to value: Double) {
        change(definition.name, []) { $0.value = value }
    }

    fileprivate func observe(_ name: String, _ labels: [(key: String, value: String)], _ seconds: Double) {
        change(name, labels) { series in
            if series.buckets.isEmpty { series.buckets = Array(repeating: 0, count: Self.bounds.count) }
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { series.buckets[bucket] += 1 }
            series.count += 1
            series.value += seconds
        }
    }

    fileprivate func change(_ name: String, _ labels: [(key: String, value: String)], _ change: (inout Series) -> Void) {
        guard let position = positions[name] else { return }
        families.withLock { families in
            var values = families[position].definition.labels.map { name in labels.first { $0.key == name }?.value ?? "" }
            if families[position].series.count >= Self.seriesLimit, families[position].series[values] == nil {
                values = values.map { _ in "other" }
            }
            change(&families[position].series[values, default: Series()])
        }
    }

    // MARK: Exposition

    /// Returns all metrics that have a value, in the text format of Prometheus.
    func text() -> String {
        let families = families.withLock { $0 }
        var lines: [String] = []
        for family in families where !family.series.isEmpty {
            let definition = family.definition
            lines.append("# HELP \(definition.name) \(definition.help)")
            lines.append("# TYPE \(definition.name) \(definition.kind.rawValue)")
            for (values, series) in family.series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                lines += Self.lines(of: series, definition, values)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of series: Series, _ definition: MetricDefinition, _ values: [String]) -> [String] {
        let labels = zip(definition.labels, values).map { "\($0)=\"\(escaped($1))\"" }
        guard definition.kind == .histogram else { return ["\(definition.name)\(list(labels)) \(number(series.value))"] }
        var (lines, sum): ([String], UInt64) = ([], 0)
        for (bound, count) in zip(bounds, series.buckets) {
            sum += count
            lines.append("\(definition.name)_bucket\(list(labels + ["le=\"\(number(bound))\""])) \(sum)")
        }
        return lines + [
            "\(definition.name)_bucket\(list(labels + ["le=\"+Inf\""])) \(series.count)",
            "\(definition.name)_sum\(list(labels)) \(number(series.value))", "\(definition.name)_count\(list(labels)) \(series.count)",
        ]
    }

    private static func list(_ labels: [String]) -> String { labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}" }

    /// Returns a number without a fraction of zero, as Prometheus writes it.
    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// The handlers of swift-metrics; a name that the registry does not have is ignored.
extension MetricsRegistry: MetricsFactory {
    private final class Handler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
        let registry: MetricsRegistry
        let name: String
        let labels: [(key: String, value: String)]

        init(_ registry: MetricsRegistry, _ name: String, _ labels: [(String, String)]) {
            (self.registry, self.name, self.labels) = (registry, name, labels.map { ($0.0, $0.1) })
        }

        func increment(by amount: Int64) { registry.change(name, labels) { $0.value += Double(amount) } }
        func increment(by amount: Double) { registry.change(name, labels) { $0.value += amount } }
        func decrement(by amount: Double) { registry.change(name, labels) { $0.value -= amount } }
        func reset() { registry.change(name, labels) { $0.value = 0 } }
        func set(_ value: Int64) { registry.change(name, labels) { $0.value = Double(value) } }
        func set(_ value: Double) { registry.change(name, labels) { $0.value = value } }
        func record(_ value: Int64) { set(value) }
        func record(_ value: Double) { set(value) }
        func recordNanoseconds(_ duration: Int64) { registry.observe(name, labels, Double(duration) / 1e9) }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Handler(self, label, dimensions) }
    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        Handler(self, label, dimensions)
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Handler(self, label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler(self, label, dimensions)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Handler(self, label, dimensions) }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
