import BenchmarkReport
import Foundation
import PurchaseModel

/// A database of a PostgreSQL server, which the benchmark creates and removes.
struct PostgresBenchmarkDatabase {
    let url: String
    private let server: String
    private let name: String

    /// Creates a database.
    ///
    /// - Parameter server: The URI of the database `postgres` of the server.
    init(on server: String) throws {
        self.server = server
        name = "benchmark_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        url = server.replacing("/postgres?", with: "/\(name)?")
        try BarePostgres.execute("CREATE DATABASE \(name)", at: server)
    }

    /// The size in bytes, with all indexes.
    func size() throws -> Double {
        try BarePostgres.text("SELECT pg_database_size(current_database())", at: url).flatMap { Double($0) } ?? 0
    }

    /// Removes the database.
    func remove() throws {
        try BarePostgres.execute("DROP DATABASE \(name) WITH (FORCE)", at: server)
    }
}

/// Measures reads and writes of a large database, compared with a small one.
///
/// Only one of the databases exists at a time.
struct SizeMeasurements {
    /// The number of transactions of a customer.
    private static let periods = 10

    let postgres: String
    let launcher: ProcessLauncher
    let samples: SignedSamples
    let isShort: Bool

    private struct Speed {
        var read: Double
        var write: Double
        var bytesPerTransaction: Double
    }

    /// Measures databases with two numbers of transactions.
    func measure(few: Int, many: Int) async throws -> [ReportLine] {
        let (small, large) = (try await speed(of: few), try await speed(of: many))
        func text(_ count: Int) -> String { count.formatted(.number.locale(Locale(identifier: "en_US"))) }
        let basis = "time among \(text(few))"
        return [
            ReportLine(
                title: "an entitlement among \(text(many)) transactions", value: large.read, unit: "/s", basis: basis,
                ratio: small.read / large.read, limit: 1.5),
            ReportLine(
                title: "a transaction stored among \(text(many))", value: large.write, unit: "/s", basis: basis,
                ratio: small.write / large.write, limit: 1.5),
            ReportLine(
                title: "bytes of each of \(text(many)) transactions", value: large.bytesPerTransaction, unit: "B",
                basis: "bytes among \(text(few))", ratio: large.bytesPerTransaction / small.bytesPerTransaction),
        ]
    }

    private func speed(of count: Int) async throws -> Speed {
        let database = try PostgresBenchmarkDatabase(on: postgres)
        launcher.folder.postgres = database.url
        let keys = try await ServerBenchmark.createDatabase(launcher, samples)
        let empty = try database.size()
        let start = ContinuousClock.now
        try PostgresDatabaseFill(customers: count / Self.periods, periods: Self.periods).fill(database.url)
        let bytes = (try database.size() - empty) / Double(count)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        FileHandle.standardError.write(Data("server-benchmark: filled with \(count) transactions in \(Int(seconds)) s\n".utf8))
        let measurements = ServerMeasurements(
            launcher: launcher, samples: samples, isShort: isShort, customers: count / Self.periods, keys: keys,
            server: try launcher.startServer("serve"))
        let requests = measurements.reads { [measurements.authorization(keys.secret), measurements.customerField($0)] }
        let read = try measurements.compare([(measurements.server.port, requests)])[0].rate
        var next = ServerMeasurements.firstNumber(0)
        var rates: [Double] = []
        for _ in 0..<(isShort ? 1 : 7) {
            let batch = try (0..<(isShort ? 20 : 2_000)).map { _ in
                next += 1
                return try measurements.submission(samples.period(first: next, for: measurements.customer(next)), next).request
            }
            rates.append(try LoadClient(port: measurements.server.port).run(batch).rate)
        }
        try measurements.server.process.stop()
        try database.remove()
        return Speed(read: read, write: rates.median, bytesPerTransaction: bytes)
    }
}
